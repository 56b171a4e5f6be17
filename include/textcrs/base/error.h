// The one exception type for what comes from outside (files, options, downloads) and is wrong.
//
// A message names the file, the line or byte, what was found and what was expected, in one line:
//   reviews.csv:17: found 1 column, expected 2 (text, label)
// A broken precondition is a bug and throws std::logic_error instead.
#pragma once

#include <stdexcept>
#include <string>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// What a caller can do about an error; a program's exit code follows from it.
enum class ErrorKind {
  kFailed = 1,       // the machine said no: disk full, network down, npm missing
  kUsage = 2,        // an option, a spec string or a combination of them is wrong
  kBadInput = 3,     // a file or a text is wrong
  kInterrupted = 4,  // stopped on request; what can be resumed keeps the work done so far
};

class Error : public std::runtime_error {
 public:
  // Control characters of the message, line breaks among them, become \xNN.
  Error(ErrorKind kind, const std::string& message);
  ErrorKind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  ErrorKind kind_;
};

inline Error failed(const std::string& message) { return Error(ErrorKind::kFailed, message); }
inline Error usage_error(const std::string& message) { return Error(ErrorKind::kUsage, message); }
inline Error bad_input(const std::string& message) { return Error(ErrorKind::kBadInput, message); }

}  // namespace textcrs
