#include "certify/substitution_adversary.h"

#include <fmt/format.h>

namespace textcrs {

SubstitutionAdversary::SubstitutionAdversary(const SubstitutionRule& rule,
                                             const SynonymTable& synonyms,
                                             const SynonymTable* candidates)
    : kernel_(rule, synonyms),
      inside_clusters_(rule.shape == KernelShape::kCluster && candidates == nullptr),
      candidates_(candidates != nullptr ? *candidates : synonyms) {}

std::string SubstitutionAdversary::candidates() const {
  if (!inside_clusters_) return candidates_.source();
  return fmt::format("{}, in clusters of at most {}", candidates_.source(), kernel_.rule().size);
}

std::vector<const WordRisk*> SubstitutionAdversary::worst_risks(Text text) const {
  const std::lock_guard lock(mutex_);
  std::vector<const WordRisk*> risks;
  for (const WordId word : text)
    if (has_candidates(word)) risks.push_back(&worst_of(word));
  return risks;
}

// A text's own words have none: the tables are about the words of the vocabulary.
bool SubstitutionAdversary::has_candidates(WordId word) const {
  return inside_clusters_ ? kernel_.of(word).size() > 1 : !candidates_.of(word).empty();
}

const WordRisk& SubstitutionAdversary::worst_of(WordId word) const {
  std::unique_ptr<const WordRisk>& slot = words_[word];
  if (slot == nullptr) {
    auto risk = std::make_unique<WordRisk>();
    KernelPair pair(kernel_, word);
    if (inside_clusters_)
      for (const auto& entry : kernel_.of(word)) risk->raise(pair.with(entry.word));
    else
      for (const WordId other : candidates_.of(word)) risk->raise(pair.with(other));
    slot = std::move(risk);
  }
  return *slot;
}

}  // namespace textcrs
