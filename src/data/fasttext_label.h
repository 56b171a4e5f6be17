// How fastText writes a label: as a word "__label__CLASS" of the line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

struct FasttextLine {
  std::vector<std::string> labels;  // without the prefix
  std::string text;                 // what is left of the line, trimmed
};

FasttextLine split_fasttext_line(std::string_view line);

}  // namespace textcrs
