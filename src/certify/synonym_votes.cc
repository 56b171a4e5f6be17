#include "certify/synonym_votes.h"

#include <algorithm>

#include "certify/vote_curve.h"
#include "certify/vote_tally.h"

namespace textcrs {

std::optional<double> edits_beside_candidates(const VoteRule& rule, std::span<const int32_t> table,
                                              const SynonymTable& candidates,
                                              std::span<const WordId> words,
                                              std::optional<int64_t> threshold) {
  const size_t classes = rule.classes();
  const auto row = [&](WordId word) {
    return table.subspan(static_cast<size_t>(word) * classes, classes);
  };
  VoteTally tally(rule.bias);
  for (const WordId word : words) tally.add(row(word));
  if (words.empty()) tally.add({});
  double edits = kUnlimited;
  std::vector<int32_t> leads(words.size());
  for (size_t other = 0; other < classes; ++other) {
    if (other == tally.answer) continue;
    const auto lead = [&](WordId word) { return row(word)[tally.answer] - row(word)[other]; };
    int64_t sum = rule.bias[tally.answer] - rule.bias[other];
    for (size_t i = 0; i < words.size(); ++i) {
      leads[i] = lead(words[i]);
      for (const WordId candidate : candidates.of(words[i]))
        leads[i] = std::min(leads[i], lead(candidate));
      sum += leads[i];
    }
    VoteCurve curve;
    curve.slack = tally.slack(sum, other, threshold);
    if (curve.slack < 0) return std::nullopt;
    curve.losses = largest_losses(leads, curve.most());
    curve.gain = rule.gain(tally.answer, other).votes();
    edits = std::min(edits, curve.edits(words.size()));
  }
  return edits;
}

}  // namespace textcrs
