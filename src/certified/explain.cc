#include "certified/explain.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "textcrs/base/error.h"
#include "textcrs/certify/deterministic.h"

namespace textcrs {
namespace {

// The different words of a text, in the order of their first places.
std::vector<Influence> different(const std::vector<std::string>& words) {
  std::vector<Influence> list;
  std::unordered_map<std::string, size_t> places;
  for (size_t i = 0; i < words.size(); ++i) {
    const auto [place, is_new] = places.try_emplace(words[i], list.size());
    if (is_new) list.push_back({.word = words[i], .positions = {}});
    list[place->second].positions.push_back(i);
  }
  return list;
}

// Fills in the changes, sorts by their size and keeps the first `most`; the share of the whole.
double measure_and_rank(const MeasureShares& measure, uint32_t begin, uint32_t end, size_t most,
                        std::vector<Influence>& list) {
  const SharesWithout shares = measure(list, begin, end);
  for (size_t i = 0; i < list.size(); ++i) list[i].change = shares.without[i] - shares.whole;
  std::stable_sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) {
    return std::abs(a.change) > std::abs(b.change);
  });
  if (list.size() > most) list.resize(most);
  return shares.whole;
}

}  // namespace

Explanation explain_by(const MeasureShares& choose, const MeasureShares& measure,
                       const std::vector<std::string>& words, const ExplainOptions& options) {
  if (options.copies == 0) throw usage_error("0 copies to explain with, expected at least 1");
  std::vector<Influence> list = different(words);
  uint32_t first = 0;
  if (list.size() > options.measured) {
    first = std::max(1u, options.copies / 10);
    measure_and_rank(choose, 0, first, options.measured, list);
    std::sort(list.begin(), list.end(), [](const Influence& a, const Influence& b) {
      return a.positions[0] < b.positions[0];
    });
  }
  Explanation explanation;
  explanation.share = measure_and_rank(measure, first, first + options.copies, options.words, list);
  // Votes differ by more than that; the probabilities of laws may not.
  std::erase_if(list, [](const Influence& word) { return std::abs(word.change) <= kShareError; });
  explanation.words = std::move(list);
  return explanation;
}

}  // namespace textcrs
