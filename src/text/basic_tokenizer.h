// The first half of BERT's tokenizer: rules 1 to 5 of textcrs/text/wordpiece.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "textcrs/text/wordpiece.h"

namespace textcrs {

// The words of a text, one space between two. Words hold no space, so that splitting is exact.
std::string basic_words(std::string_view text, const WordPieceRules& rules);

// Calls visit(word) for every word of what basic_words() gave.
template <typename Visit>
void for_each_word(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const std::string_view word = words.substr(0, words.find(' '));
    visit(word);
    words.remove_prefix(word.size() < words.size() ? word.size() + 1 : words.size());
  }
}

}  // namespace textcrs
