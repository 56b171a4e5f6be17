// What an endpoint said, fit for a message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

// `text` with "[secret]" for every occurrence of one of `secrets`, the longest first; empty ones
// are none.
std::string without_secrets(std::string text, std::vector<std::string> secrets);

// The start of `text` in one line of printable ASCII: white space is one blank, other bytes are
// \xNN. One that was cut ends in "...".
constexpr size_t kLongestQuote = 200;
std::string printable_start(std::string_view text);

}  // namespace textcrs
