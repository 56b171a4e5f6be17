// Units of a text, words or sentences, that cast bounded votes which are added up: the exact
// certificate without noise (docs/certificates.md, B10).
//
// S_c = bias_c + the sum over the units of their scores for class c; the class with the largest S
// is the answer, ties to the lowest index. All numbers are integers, so sums are exact on every
// machine and in any order.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certify/certified_set.h"

namespace TEXTCRS_API textcrs {

constexpr int32_t kLargestScore = 1 << 29;
constexpr size_t kMostEdits = 1 << 30;  // that are told apart

struct VoteCurve;  // src/certify/vote_curve.h

// What holds for every text of a model.
struct VoteRule {
  // The most that one gained unit can do for class `to` against class `from`.
  struct Gain {
    int64_t best = 0;   // the largest s_to - s_from of all units there are
    int64_t unit = -1;  // which has it; -1: none in particular

    int64_t votes() const { return std::max<int64_t>(0, best); }  // nobody has to gain a unit
  };

  std::vector<int64_t> bias;  // one per class
  std::vector<Gain> gains;    // (from, to), row-major

  size_t classes() const { return bias.size(); }
  const Gain& gain(size_t from, size_t to) const { return gains[from * classes() + to]; }

  // Of the units in a table of scores, row-major (units, classes).
  static VoteRule of_table(std::vector<int64_t> bias, std::span<const int32_t> scores);
};

// Edits that change the answer, one more than the certified number: so the radius is the true one.
struct VoteWitness {
  std::vector<size_t> lost;  // places of units that go
  // Units that come, in the place of lost ones or beside them: VoteRule::Gain::unit.
  std::vector<int64_t> gained;
};

// The votes of one text. A text that loses a of its units and gains b others keeps its answer A for
// certain iff, for every other class B,
//   S_A - S_B  >  (the sum of the a largest max(0, s_A - s_B) of its units) + b gain(A, B).votes(),
// or >= where B comes after A. Any reordering is free.
//
// With a threshold the answer is A only if it leads every other class by more than the threshold
// (B11): then S_A - S_B - threshold stands on the left, and the inequality is strict.
class TextVotes {
 public:
  // `scores` of the units, row-major (units, classes), each between -kLargestScore and
  // kLargestScore (std::logic_error).
  TextVotes(const VoteRule& rule, std::span<const int32_t> scores,
            std::optional<int64_t> threshold = std::nullopt);
  ~TextVotes();

  int prediction() const { return static_cast<int>(prediction_); }
  const std::vector<int64_t>& totals() const { return totals_; }  // S_c
  bool is_clear() const;  // the lead is above the threshold; without one, always
  // The least lead over the next best class that up to so many edits of any kind leave, 0 for a
  // tie; below 0: another class may lead.
  // More edits than kMostEdits count as that many.
  int64_t lead_after(size_t edits) const;

  // Whether every text that loses up to `lost` of its units and gains up to `gained` keeps the
  // answer.
  bool keeps(size_t lost, size_t gained) const;

  // Reordering (unlimited), deletion, insertion, substitution, edit, and the frontier; not
  // certified unless is_clear(). Where every unit there is may be gained, no larger radius is true.
  // At most as many deletions and substitutions as there are units.
  CertifiedSet certified() const;

  // None if no number of edits changes the answer, or no unit is known that attains the gain.
  std::optional<VoteWitness> witness() const;

 private:
  struct Rival;  // another class B

  double substitutions(const Rival& rival, const VoteCurve& curve) const;
  // The places of the `count` largest leads above 0, ties to the first.
  std::vector<size_t> worst_losses(const Rival& rival, const VoteCurve& curve, size_t count) const;

  size_t units_, prediction_ = 0;
  std::vector<int64_t> totals_;
  std::vector<Rival> rivals_;
  std::vector<VoteCurve> curves_;  // against the rivals
};

}  // namespace textcrs
