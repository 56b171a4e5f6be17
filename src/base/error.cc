#include "textcrs/base/error.h"

#include <algorithm>

namespace textcrs {
namespace {

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// Much of a message may come from a file.
std::string one_line(const std::string& message) {
  if (std::none_of(message.begin(), message.end(), is_control)) return message;
  constexpr const char* kDigits = "0123456789abcdef";
  std::string line;
  for (const char c : message) {
    if (!is_control(c)) {
      line += c;
      continue;
    }
    line += "\\x";
    line += kDigits[c >> 4];
    line += kDigits[c & 15];
  }
  return line;
}

}  // namespace

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(one_line(message)), kind_(kind) {}

}  // namespace textcrs
