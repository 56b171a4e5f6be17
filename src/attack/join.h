#pragma once

#include <span>
#include <string>

namespace textcrs {

// The words with a space between them: a text that is read as these words.
inline std::string joined(std::span<const std::string> words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

}  // namespace textcrs
