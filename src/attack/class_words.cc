#include "textcrs/attack/class_words.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_set>

namespace textcrs {
namespace {

// Of texts that have a word and of texts that do not: how many have the class, and how many not.
double z_score(double with, double with_other, double without, double without_other) {
  with += 0.5, with_other += 0.5, without += 0.5, without_other += 0.5;
  const double log_odds = std::log(with / with_other) - std::log(without / without_other);
  return log_odds / std::sqrt(1 / with + 1 / with_other + 1 / without + 1 / without_other);
}

}  // namespace

ClassWords::ClassWords(std::span<const LabelledWords> texts, size_t classes, size_t least)
    : words_(classes) {
  std::map<std::string, std::vector<size_t>> counts;  // texts of each class that have the word
  std::vector<size_t> of_class(classes);
  for (const LabelledWords& text : texts) {
    const auto label = static_cast<size_t>(text.label);
    if (text.label < 0 || label >= classes)
      throw std::logic_error("ClassWords: the label of a text is no class");
    ++of_class[label];
    for (const std::string& word : std::set<std::string>(text.words.begin(), text.words.end()))
      ++counts.try_emplace(word, classes).first->second[label];
  }
  for (size_t label = 0; label < classes; ++label) {
    std::vector<std::pair<double, const std::string*>> ranked;
    for (const auto& [word, of] : counts) {
      size_t with = 0;
      for (const size_t count : of) with += count;
      if (with < least) continue;
      const size_t inside = of[label], outside = with - inside;
      const size_t others = texts.size() - of_class[label];
      const double z = z_score(static_cast<double>(inside), static_cast<double>(outside),
                               static_cast<double>(of_class[label] - inside),
                               static_cast<double>(others - outside));
      if (z > 0) ranked.emplace_back(z, &word);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [z, word] : ranked) words_[label].push_back(*word);
  }
}

std::vector<std::string> ClassWords::against(int label, size_t count) const {
  std::vector<std::string> list;
  std::unordered_set<std::string_view> seen;
  size_t longest = 0;
  for (const auto& words : words_) longest = std::max(longest, words.size());
  for (size_t rank = 0; rank < longest && list.size() < count; ++rank)
    for (size_t other = 0; other < words_.size() && list.size() < count; ++other)
      if (static_cast<int>(other) != label && rank < words_[other].size() &&
          seen.insert(words_[other][rank]).second)
        list.push_back(words_[other][rank]);
  return list;
}

}  // namespace textcrs
