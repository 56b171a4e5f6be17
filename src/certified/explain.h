// The search for the words that move the votes most, whoever counts the votes.
#pragma once

#include <functional>
#include <span>

#include "textcrs/certified/explanation.h"

namespace textcrs {

// The share of the votes for a class over the samples [begin, end) of a text, and of the text
// without each of some words.
struct SharesWithout {
  double whole = 0;
  std::vector<double> without;
};
using MeasureShares =
    std::function<SharesWithout(std::span<const Influence> removed, uint32_t begin, uint32_t end)>;

// `choose` measures the first pass, if there is one. How the shares were measured is left to the
// caller to say. Throws what they throw; a usage Error for 0 copies.
Explanation explain_by(const MeasureShares& choose, const MeasureShares& measure,
                       const std::vector<std::string>& words, const ExplainOptions& options);

// A text without the places of a word.
template <typename Word>
std::vector<Word> without(std::span<const Word> text, const Influence& removed) {
  std::vector<Word> rest;
  auto next = removed.positions.begin();
  for (size_t i = 0; i < text.size(); ++i) {
    if (next != removed.positions.end() && *next == i)
      ++next;
    else
      rest.push_back(text[i]);
  }
  return rest;
}

}  // namespace textcrs
