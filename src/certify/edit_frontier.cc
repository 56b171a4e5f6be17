#include "certify/edit_frontier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certify/rounding.h"

namespace textcrs {
namespace {

// t p^-a + p^-b < 2, decided in extended precision for single pairs.
class Condition {
 public:
  Condition(double p, Bounds bounds) : inverse_(round_up(1 / Real{p})), t_(doubt_up(bounds)) {}

  Real lost(int a) const { return round_up(t_ * power_up(inverse_, a)); }  // t p^-a from above
  Real gained(int b) const { return power_up(inverse_, b); }               // p^-b from above
  bool holds(int a, int b) const { return surely_below<Real>(lost(a), gained(b), 2); }

  // The largest b <= kMostGained with (0, b): near the logarithms' answer, decided by holds().
  int most_gained() const {
    const Real guess = std::log(2 - std::min<Real>(t_, 1)) / std::log(inverse_);
    int b = static_cast<int>(std::clamp<Real>(guess, 0, kMostGained));
    while (b > 0 && !holds(0, b)) --b;
    while (b < kMostGained && holds(0, b + 1)) ++b;
    return b;
  }

 private:
  Real inverse_, t_;
};

// The same for a walk over neighbouring pairs, in double precision with every product rounded up:
// each factor is inflated for its own rounding and once more for that of the product it enters.
// What doubles can not tell from a tie is decided by the condition itself.
class Walk {
 public:
  Walk(const Condition& condition, double p, int b)
      : condition_(condition),
        up_(round_up(round_up(round_up(1 / p)))),
        down_(round_up(round_up(p))),
        lost_(round_up(static_cast<double>(condition.lost(0)))),
        gained_(round_up(static_cast<double>(condition.gained(b)))),
        b_(b) {}

  void lose_one() {
    lost_ *= up_;
    ++a_;
  }
  void gain_one_less() { gained_ = --b_ > 0 ? gained_ * down_ : 1; }

  bool holds() const {
    if (surely_below(lost_, gained_, 2.0)) return true;
    return lost_ + gained_ < 2 + 1e-9 && condition_.holds(a_, b_);
  }
  int gained() const { return b_; }

 private:
  const Condition& condition_;
  double up_, down_;
  double lost_, gained_;  // t p^-a and p^-b from above
  int a_ = 0, b_;
};

// The part of the frontier that the difference is held against.
std::string allowance(const EditFrontier& frontier, Difference difference) {
  if (difference.lost == 0 || difference.gained > frontier.insertions)
    return up_to(frontier.insertions) + " may be gained";
  int most = 0;
  for (const auto& [lost, gained] : frontier.pairs)
    if (gained >= difference.gained) most = lost;
  const std::string beside =
      difference.gained == 0 ? "" : fmt::format("with {} gained ", difference.gained);
  return beside + up_to(most) + " may be lost";
}

}  // namespace

bool EditFrontier::contains(Difference difference) const {
  return std::any_of(pairs.begin(), pairs.end(), [&](const std::pair<int, int>& pair) {
    return difference.lost <= pair.first && difference.gained <= pair.second;
  });
}

EditFrontier edit_frontier(double p, Bounds bounds, int words) {
  const Condition condition(p, bounds);
  EditFrontier frontier;
  frontier.insertions = condition.most_gained();
  frontier.pairs.emplace_back(0, frontier.insertions);  // (0, 0) is certified because pa > pb
  Walk walk(condition, p, frontier.insertions);
  for (int a = 1; a <= words; ++a) {
    walk.lose_one();
    while (walk.gained() > 0 && !walk.holds()) walk.gain_one_less();
    if (walk.gained() == 0 && !walk.holds()) break;
    if (frontier.pairs.back().second == walk.gained())
      frontier.pairs.back().first = a;
    else
      frontier.pairs.emplace_back(a, walk.gained());
    if (walk.gained() >= a) frontier.substitutions = a;
  }
  frontier.deletions = frontier.pairs.back().first;
  frontier.all_deleted = frontier.deletions == words;
  // r edits lose at most min(r, words) and gain at most r words. When all words may be substituted,
  // further edits can only insert.
  frontier.edits = frontier.substitutions == words ? walk.gained() : frontier.substitutions;
  return frontier;
}

// s substituted words lose at most s of the words that count, and gain at most s: a stop word may
// become one that counts. So beyond the words that count s goes on like the edits.
void add_edit_guarantees(const EditFrontier& frontier, int words, CertifiedSet& set) {
  const auto add = [&](Operation operation, int radius) {
    set.guarantees.push_back({operation, kUnitWords, static_cast<double>(radius)});
  };
  add(Operation::kDeletion, frontier.all_deleted ? words : frontier.deletions);
  add(Operation::kInsertion, frontier.insertions);
  add(Operation::kSubstitution, std::max(frontier.substitutions, std::min(words, frontier.edits)));
  add(Operation::kEdit, frontier.edits);
  set.frontier = frontier.pairs;
}

Coverage compare_edit(const EditFrontier& frontier, Difference difference, bool beside_stop_words) {
  return {frontier.contains(difference), Operation::kEdit,
          fmt::format("{}{}; {}", beside_stop_words ? "beside stop words, " : "",
                      in_words(difference), allowance(frontier, difference))};
}

Coverage other_stop_words() {
  return {true, Operation::kEdit, "the same words beside stop words, which are always deleted"};
}

}  // namespace textcrs
