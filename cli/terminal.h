// What the person at the terminal sees and says: progress and remarks on stderr, Ctrl-C.
#pragma once

#include <chrono>
#include <string>

#include "textcrs/base/stop.h"

namespace textcrs::cli {

// From then on SIGINT and SIGTERM request a stop; a second one ends the process at once.
void install_stop_handler();
StopToken stop_token();

// A failed Error unless all that was printed on stdout could be written.
void flush_output();

// From then on remarks and status lines are not printed.
void be_quiet();

// A line on stderr that is neither a result nor an error.
void remark(const std::string& line);

// "1 h 05 min", "3 min 20 s", "12 s"
std::string duration(double seconds);

// One status line on stderr: rewritten in place on a terminal, a plain line every ten seconds
// elsewhere.
class StatusLine {
 public:
  ~StatusLine() { clear(); }
  void update(const std::string& text);  // cheap to call often
  void print(const std::string& line);   // a line that stays
  void clear();

 private:
  std::chrono::steady_clock::time_point last_{};
  bool shown_ = false;
};

}  // namespace textcrs::cli
