// What of a text casts votes: its words, or each word once, and windows of neighbouring words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/window_row.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {

// The row of a window in a table of so many, by a hash of its words: every window there is has a
// row, which it shares with others.
inline uint32_t window_row(std::span<const WordId> window, size_t rows) {
  return window_row_of([&](uint32_t i) { return window[i]; }, static_cast<uint32_t>(window.size()),
                       rows);
}

// Those of all windows of so many words, in the order of the text.
inline std::vector<WordId> window_rows(std::span<const WordId> words, size_t width, size_t rows) {
  std::vector<WordId> list;
  for (size_t i = 0; i + width <= words.size(); ++i)
    list.push_back(static_cast<WordId>(window_row(words.subspan(i, width), rows)));
  return list;
}

// Each word once, ascending: those that vote where presence counts.
inline std::vector<WordId> different_words(std::vector<WordId> words) {
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

// The tensor of the votes of windows of so many words, (rows, classes).
inline std::string window_scores(int width) { return "windows." + std::to_string(width); }

}  // namespace textcrs
