#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace textcrs::cli {

// The parts of a text between separators, empty ones included.
inline std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (size_t end; (end = text.find(separator)) != text.npos;) {
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.emplace_back(text);
  return parts;
}

}  // namespace textcrs::cli
