#include "data/fasttext_label.h"

#include <algorithm>

#include "text/text_file.h"

namespace textcrs {

FasttextLine split_fasttext_line(std::string_view line) {
  constexpr std::string_view kPrefix = "__label__", kBlank = " \t\r\f\v";
  FasttextLine parts;
  while (!line.empty()) {
    // A word with the blanks before it.
    const size_t begin = std::min(line.find_first_not_of(kBlank), line.size());
    const size_t end = std::min(line.find_first_of(kBlank, begin), line.size());
    const std::string_view word = line.substr(begin, end - begin);
    if (word.starts_with(kPrefix))
      parts.labels.emplace_back(word.substr(kPrefix.size()));
    else
      parts.text += line.substr(0, end);
    line.remove_prefix(end);
  }
  parts.text = trim(parts.text);
  return parts;
}

}  // namespace textcrs
