#include "terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "style.h"
#include "textcrs/base/error.h"
#include "textcrs/text/printable_name.h"

namespace textcrs::cli {
namespace {

constexpr int kInterruptedCode = static_cast<int>(ErrorKind::kInterrupted);

std::atomic<bool> stop_requested{false}, stops_by_itself{false};
std::atomic<int64_t> requested_at{0};  // in nanoseconds; 0: not yet
int request[2] = {-1, -1};             // a pipe: written to when a stop is requested
static_assert(std::atomic<bool>::is_always_lock_free &&
              std::atomic<int64_t>::is_always_lock_free);  // a signal handler sets them

constexpr int64_t kSameRequest = 500'000'000;  // nanoseconds

int64_t nanoseconds() {
  struct timespec now {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// What is called here may be called in a signal handler.
void on_signal(int) {
  const int before = errno;
  if (!stops_by_itself) {
    constexpr std::string_view kSaid = "textcrs: interrupted\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kSaid.data(), kSaid.size());
    _exit(kInterruptedCode);
  }
  int64_t first = 0;
  if (requested_at.compare_exchange_strong(first, nanoseconds())) {
    stop_requested = true;
    [[maybe_unused]] const ssize_t written = write(request[1], "", 1);
  } else if (nanoseconds() - first > kSameRequest) {
    _exit(kInterruptedCode);
  }
  errno = before;
}

constexpr std::string_view kEmptyLine = "\r\033[K";

bool quiet = false;

// Nothing is ended by a log that can not be written.
void say(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

bool on_terminal() {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  return terminal;
}

}  // namespace

void install_stop_handler() {
  struct sigaction action {
  }, before{};
  action.sa_handler = on_signal;
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    sigaction(number, nullptr, &before);
    if (number != SIGHUP || before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

StopToken stop_token() {
  if (request[0] < 0 && pipe2(request, O_CLOEXEC | O_NONBLOCK) != 0)
    throw failed(fmt::format("no pipe can be made ({})", std::strerror(errno)));
  stops_by_itself = true;
  return StopToken(stop_requested);
}

void stop_at_once() {
  stops_by_itself = false;
  StopToken(stop_requested).check();
}

int stop_descriptor() { return request[0]; }

void outlive_readers() { std::signal(SIGPIPE, SIG_IGN); }

void put_text(const std::string& text) {
  static const bool terminal = isatty(STDOUT_FILENO) != 0;
  const std::string shown = terminal ? printable_styled(text) : text;
  std::fwrite(shown.data(), 1, shown.size(), stdout);  // flush_output() knows whether it could
}

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw failed(errno == 0
                   ? "standard output: cannot be written"
                   : fmt::format("standard output: cannot be written ({})", std::strerror(errno)));
}

void be_quiet() { quiet = true; }

void remark(const std::string& line) {
  if (!quiet) say(printable_lines(line) + "\n");
}

std::string duration(double seconds) {
  const auto whole = std::lround(seconds);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

void StatusLine::update(const std::string& text) {
  if (quiet) return;
  const auto now = std::chrono::steady_clock::now();
  const auto interval = on_terminal() ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
  if (now - last_ < interval) return;
  last_ = now;
  if (on_terminal())
    say(std::string(kEmptyLine) + printable_line(text));
  else
    say(printable_line(text) + "\n");
  shown_ = on_terminal();
}

void StatusLine::print(const std::string& line) {
  clear();
  remark(line);
}

void StatusLine::clear() {
  if (!shown_) return;
  say(std::string(kEmptyLine));
  shown_ = false;
}

}  // namespace textcrs::cli
