#include "blackbox/line_program.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "http/no_sigpipe.h"
#include "http/printable.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kLook(50);       // between two looks at the stop token
constexpr milliseconds kGrace(2'000);   // to end once its input has ended
constexpr milliseconds kToTidyUp(300);  // once it is told to

constexpr size_t kPipe = 1 << 16;  // bytes that wait in one
constexpr size_t kPatience = 64;   // lines from one wait for a line too many to the next

void make_non_blocking(const Descriptor& end) {
  fcntl(end.get(), F_SETFL, fcntl(end.get(), F_GETFL) | O_NONBLOCK);
}

// Appends what there is to read; false at its end.
bool read_some(const Descriptor& from, std::string& to) {
  std::array<char, 16384> buffer;
  const ssize_t got = read(from.get(), buffer.data(), buffer.size());
  if (got > 0) to.append(buffer.data(), static_cast<size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

}  // namespace

LineProgram::LineProgram(const std::string& command) {
  Pipe to, from, errors;
  const ChildEnds ends{to.reader.get(), from.writer.get(), errors.writer.get()};
  const auto child = spawn({"/bin/sh", "-c", command}, ends);
  if (!child) throw failed("/bin/sh was not found");
  child_ = *child;
  to_ = std::move(to.writer);
  from_ = std::move(from.reader);
  errors_ = std::move(errors.reader);
  for (const Descriptor* end : {&to_, &from_, &errors_}) make_non_blocking(*end);
}

LineProgram::~LineProgram() { end(kGrace); }

void LineProgram::close_input() {
  if (to_.is_open()) closed_ = Clock::now();
  to_.reset();
}

void LineProgram::end(milliseconds grace) {
  close_input();
  if (child_ < 0) return;
  // What it still says is read, so that it can end.
  const auto until = closed_ + grace;
  std::string rest;
  while (!ends_within(child_, milliseconds(0)) && Clock::now() < until) {
    pollfd waiting[2] = {{from_.get(), POLLIN, 0}, {errors_.get(), POLLIN, 0}};
    if (poll(waiting, 2, 5) <= 0) continue;
    if (from_.is_open() && waiting[0].revents != 0 && !read_some(from_, rest)) from_.reset();
    if (waiting[1].revents != 0) read_errors();
    rest.clear();
  }
  if (!ends_within(child_, milliseconds(0)))
    end_group(child_, kToTidyUp);
  else
    kill(-child_, SIGKILL);  // what it has left behind
  status_ = wait_for(child_);
  child_ = -1;
}

// As much as a pipe holds; more may come without end.
void LineProgram::read_errors() {
  for (size_t rest = kPipe, before = 0; errors_.is_open() && rest > 0;) {
    before = said_.size();
    if (!read_some(errors_, said_)) errors_.reset();
    const size_t got = said_.size() - before;
    if (got == 0) return;
    rest -= std::min(rest, got);
    if (said_.size() > 2 * kKeptErrors) said_.erase(0, said_.size() - kKeptErrors);
  }
}

// False if a line is too long; it is none of the answers then.
bool LineProgram::take_lines(Answers& answers, size_t count) {
  size_t begin = 0;
  bool short_enough = true;
  for (size_t stop; short_enough && answers.lines.size() < count &&
                    (stop = received_.find('\n', begin)) != std::string::npos;
       begin = stop + 1) {
    short_enough = stop - begin <= kLongestAnswer;
    if (short_enough) answers.lines.push_back(received_.substr(begin, stop - begin));
  }
  received_.erase(0, begin);
  return short_enough && (answers.lines.size() == count || received_.size() <= kLongestAnswer);
}

void LineProgram::wait_for_more(Clock::duration took, size_t lines, StopToken stop) {
  lines_ += lines;
  took_ += took;
  if (lines_ < kPatience) return;
  const auto until = Clock::now() + 2 * took_ / lines_;
  lines_ = 0;
  took_ = {};
  for (auto now = Clock::now(); received_.empty() && now < until; now = Clock::now()) {
    stop.check();
    const auto left = std::min<std::chrono::nanoseconds>(until - now, kLook);
    const timespec patience = {.tv_sec = 0, .tv_nsec = left.count()};
    pollfd end = {from_.get(), POLLIN, 0};
    if (ppoll(&end, 1, &patience, nullptr) > 0 && !read_some(from_, received_)) return;
  }
}

LineProgram::Answers LineProgram::exchange(std::string_view request, size_t count,
                                           milliseconds timeout, StopToken stop) {
  const NoSigpipe guard;
  const auto began = Clock::now(), until = began + timeout;
  Answers answers;
  bool more = from_.is_open() && child_ >= 0;
  if (more) more = read_some(from_, received_);
  answers.unasked = received_.substr(0, kKeptErrors);
  while (answers.unasked.empty() && (!request.empty() || answers.lines.size() < count)) {
    stop.check();
    if (!more) {
      answers.end = End::kDied;
      return answers;
    }
    const auto left = std::chrono::duration_cast<milliseconds>(until - Clock::now());
    if (left.count() <= 0) {
      answers.end = End::kLate;
      return answers;
    }
    std::array<pollfd, 3> ends = {pollfd{from_.get(), POLLIN, 0}, pollfd{errors_.get(), POLLIN, 0},
                                  pollfd{request.empty() ? -1 : to_.get(), POLLOUT, 0}};
    if (poll(ends.data(), ends.size(), static_cast<int>(std::min(left, kLook).count())) <= 0)
      continue;
    if (ends[1].revents != 0) read_errors();
    if (ends[2].revents != 0) {
      const ssize_t written = write(to_.get(), request.data(), request.size());
      if (written > 0) request.remove_prefix(static_cast<size_t>(written));
      // One that reads no more may still answer; its standard output says whether it has ended.
      if (written < 0 && errno == EPIPE) request = {};
    }
    if (ends[0].revents != 0) more = read_some(from_, received_);
    if (!take_lines(answers, count)) {
      answers.end = End::kTooLong;
      return answers;
    }
    // One that says more than it was asked may never stop, and need not read what it is asked.
    if (answers.lines.size() == count) answers.unasked = received_.substr(0, kKeptErrors);
  }
  if (more) more = read_some(from_, received_);
  if (more) wait_for_more(Clock::now() - began, count, stop);
  answers.unasked = received_.substr(0, kKeptErrors);
  return answers;
}

std::string LineProgram::obituary() {
  const bool lives = child_ >= 0 && !ends_within(child_, kGrace);
  end(milliseconds(0));
  if (lives) return "closed its standard output";
  if (status_ >= 0 && WIFSIGNALED(status_))
    return fmt::format("was ended by signal {}", WTERMSIG(status_));
  return fmt::format("exited with code {}", status_ < 0 ? -1 : WEXITSTATUS(status_));
}

std::string LineProgram::last_errors() {
  read_errors();
  if (said_.size() > kKeptErrors) said_.erase(0, said_.size() - kKeptErrors);
  std::string_view tail = said_;
  while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r')) tail.remove_suffix(1);
  constexpr size_t kShown = kLongestQuote;
  if (tail.size() > kShown) tail = tail.substr(tail.size() - kShown);
  return printable_start(tail);
}

}  // namespace textcrs
