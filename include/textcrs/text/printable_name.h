// Names and texts that come from data, as people see them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// The name of a class for a terminal, in one line: control characters, line breaks and stray bytes
// as \xNN, and at most kLongestName characters of that; one that was cut ends in "..".
constexpr size_t kLongestName = 40;
std::string printable_name(std::string_view name);

// "a, b, c": the first kMostNames of them, each printable, "and 5 more".
constexpr size_t kMostNames = 10;
std::string printable_names(const std::vector<std::string>& names);

// A text for a terminal, not cut: control characters, line breaks and stray bytes as \xNN. Of
// several lines, the breaks between them (\n) stay.
std::string printable_line(std::string_view text);
std::string printable_lines(std::string_view text);

}  // namespace textcrs
