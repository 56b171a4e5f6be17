#include "terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "textcrs/base/error.h"

namespace textcrs::cli {
namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);  // a signal handler sets it

void on_signal(int) {
  if (stop_requested.exchange(true)) _exit(4);
}

bool quiet = false;

bool on_terminal() {
  static const bool terminal = isatty(STDERR_FILENO) != 0;
  return terminal;
}

}  // namespace

void install_stop_handler() {
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

StopToken stop_token() { return StopToken(stop_requested); }

void flush_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw failed(errno == 0
                   ? "standard output: cannot be written"
                   : fmt::format("standard output: cannot be written ({})", std::strerror(errno)));
}

void be_quiet() { quiet = true; }

void remark(const std::string& line) {
  if (!quiet) fmt::print(stderr, "{}\n", line);
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
  if (on_terminal()) {
    fmt::print(stderr, "\r\033[K{}", text);
    std::fflush(stderr);
    shown_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
}

void StatusLine::print(const std::string& line) {
  clear();
  remark(line);
}

void StatusLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\033[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace textcrs::cli
