#include "textcrs/text/printable_name.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/utf8.h"

namespace textcrs {

std::string printable_name(std::string_view name) {
  constexpr std::string_view kCut = "..";
  std::string out;
  size_t width = 0, uncut = 0;  // the characters of `out`; its bytes that leave room for kCut
  while (!name.empty()) {
    const PrintableCharacter next = first_printable(name);
    width += next.width;
    if (width > kLongestName) return out.substr(0, uncut).append(kCut);
    out += next.shown;
    if (width + kCut.size() <= kLongestName) uncut = out.size();
    name.remove_prefix(next.bytes);
  }
  return out;
}

std::string printable_names(const std::vector<std::string>& names) {
  const size_t named = std::min(names.size(), kMostNames);
  std::string words;
  for (size_t i = 0; i < named; ++i) words += (i == 0 ? "" : ", ") + printable_name(names[i]);
  if (names.size() > named) words += fmt::format(" and {} more", names.size() - named);
  return words;
}

std::string printable_line(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const PrintableCharacter next = first_printable(text);
    out += next.shown;
    text.remove_prefix(next.bytes);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
    out += printable_line(text.substr(0, end)) + "\n";
  return out + printable_line(text);
}

}  // namespace textcrs
