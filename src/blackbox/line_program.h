// A program that is kept alive and answers lines with lines.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/spawn.h"
#include "textcrs/base/stop.h"

namespace textcrs {

inline constexpr size_t kLongestAnswer = 1 << 20;  // bytes of a line
inline constexpr size_t kKeptErrors = 4 << 10;     // bytes of the standard error

// Not thread-safe. Its pipes are read and written together, so neither side waits for the other.
class LineProgram {
 public:
  enum class End {
    kAnswered,
    kDied,     // its standard output ended
    kLate,     // the time was over
    kTooLong,  // a line of more than kLongestAnswer bytes
  };

  // `command` is run by /bin/sh. A failed Error if it can not be started.
  explicit LineProgram(const std::string& command);
  // Closes its standard input, gives it a moment, and ends it with all it has started.
  ~LineProgram();
  LineProgram(const LineProgram&) = delete;
  LineProgram& operator=(const LineProgram&) = delete;

  struct Answers {
    End end = End::kAnswered;
    std::vector<std::string> lines;  // without their ends; at most as many as were asked for
    // The start of what the program has said beside that, or before it was asked; empty: nothing.
    std::string unasked;
  };
  // Writes `request` and reads until there are `count` lines. Some 64 lines after the last time it
  // waits as long as two of them took for what is `unasked`: a line too many may come late, and all
  // answers after it would be those to other texts. An Error of kind kInterrupted once `stop` asks
  // for it.
  Answers exchange(std::string_view request, size_t count, std::chrono::milliseconds timeout,
                   StopToken stop);

  // Tells it that nothing more comes.
  void close_input();

  // As the destructor does, with so much time since its input was closed for it to end by itself.
  void end(std::chrono::milliseconds grace);

  // How it ended, in words, after kDied; the program is waited for.
  std::string obituary();
  // The last of what it said on its standard error, for a message, in one line.
  std::string last_errors();

 private:
  bool take_lines(Answers& answers, size_t count);
  void wait_for_more(std::chrono::steady_clock::duration took, size_t lines, StopToken stop);
  void read_errors();

  Descriptor to_, from_, errors_;
  pid_t child_ = -1;  // -1: it was waited for
  int status_ = 0;
  std::chrono::steady_clock::time_point closed_{};  // its standard input
  std::string received_, said_;  // of its standard output, what is no whole line yet; its errors
  size_t lines_ = 0;             // since it was last waited for more, and what they took
  std::chrono::steady_clock::duration took_{};
};

}  // namespace textcrs
