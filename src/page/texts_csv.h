#pragma once

#include <string>
#include <string_view>

namespace textcrs {

// A cell of RFC 4180 that a spreadsheet takes for text: one that would be a formula ("=", "+", "-",
// "@", a tab or a carriage return in front) gets an apostrophe there.
std::string text_cell(std::string_view text);

}  // namespace textcrs
