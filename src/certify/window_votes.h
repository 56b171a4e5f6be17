// Words that vote, and windows of two and three neighbouring words beside them
// (docs/certificates.md, B10): a bound, no longer the exact worst case.
//
// An edit at a place takes at most the votes of its word and of the k windows of k words over it;
// those of an insertion lie over the word before it. Lost windows of r edits are therefore those
// over r places at most. And an edit makes at most k new windows of k words (a deletion k - 1),
// each with no more than the largest gain in the table. The order of the words matters.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "certify/vote_curve.h"
#include "textcrs/certify/certified_set.h"
#include "textcrs/certify/votes.h"

namespace textcrs {

// The votes of all windows of one width: (words - width + 1, classes), and the most that a window
// can bring. Its bias is 0.
struct WindowScores {
  const VoteRule& rule;
  std::vector<int32_t> scores;
};

class WindowVotes {
 public:
  // `windows` of 2 words, 3 words, ...
  WindowVotes(const VoteRule& words, std::span<const int32_t> scores,
              std::span<const WindowScores> windows,
              std::optional<int64_t> threshold = std::nullopt);

  int prediction() const { return static_cast<int>(prediction_); }
  const std::vector<int64_t>& totals() const { return totals_; }
  bool is_clear() const { return clear_; }
  // As TextVotes', at least.
  int64_t lead_after(size_t edits) const { return textcrs::lead_after(curves_, edits); }
  // Substitutions, insertions, deletions and edits, and no frontier. A reordering is certified up
  // to the farthest order there is, or not at all: never as unlimited, for nothing is known of
  // orders together with edits.
  const CertifiedSet& certified() const { return set_; }

 private:
  bool clear_ = false;
  size_t prediction_ = 0;
  std::vector<int64_t> totals_;
  CertifiedSet set_;
  std::vector<VoteCurve> curves_;  // of edits of any kind
};

}  // namespace textcrs
