// The lines of standard input, as they come.
#pragma once

#include <string>

namespace textcrs::cli {

class InputLines {
 public:
  // The next line, without its end; false after the last one. Throws what StopToken::check() throws
  // as soon as a stop is requested, even while no line comes, and a failed Error if standard input
  // can not be read.
  bool next(std::string& line);

 private:
  std::string read_;  // but not yet handed out
  bool ended_ = false;
};

}  // namespace textcrs::cli
