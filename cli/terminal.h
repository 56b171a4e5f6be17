// What the person at the terminal sees and says: results on stdout, progress and remarks on stderr,
// Ctrl-C.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "textcrs/base/stop.h"

namespace textcrs::cli {

// From then on SIGINT, SIGTERM and SIGHUP end the process with the exit code of an interruption; of
// these SIGHUP stays without effect under nohup. A file that grows too large (SIGXFSZ) is an error
// like a full disk.
void install_stop_handler();

// For work that ends by itself when it is asked to: from then on a signal requests that, and only a
// second one, half a second later or more, ends the process. A terminal that closes and timeout(1)
// send two at once.
StopToken stop_token();

// From then on a signal ends the process as before stop_token(); throws what StopToken::check()
// throws if one was there. For long work without a token that may end anywhere.
void stop_at_once();

// A descriptor that can be read once a stop is requested: for who waits for something else, too.
int stop_descriptor();

// From then on output whose reader is gone is lost, and the work goes on.
void outlive_readers();

// On stdout, as results are. A terminal gets nothing to obey but our styles.
void put_text(const std::string& text);
template <typename... Args>
void put(fmt::format_string<Args...> format, Args&&... args) {
  put_text(fmt::format(format, std::forward<Args>(args)...));
}

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
