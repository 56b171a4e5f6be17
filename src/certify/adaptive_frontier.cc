#include "certify/adaptive_frontier.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "certify/binomial_bounds.h"

namespace textcrs {
namespace {

// The largest probability under `after` of a set of survivors that has at most the probability
// `mass` under `before`, from above. For every price r >= 0 it is at most
//   r mass + the sum over k of max(0, after(k) - r before(k)),
// and just that for the ratio after/before of the number at which a set, filled from the highest
// ratio down, has the mass (Neyman and Pearson). So the price need not be exact, and the numbers
// k may enter with bounds. The ratio is monotone in k: with `more_first` it rises.
Real most_after(const BinomialBounds& before, const BinomialBounds& after, bool more_first,
                Real mass) {
  if (mass >= 1) return 1;
  const int size = after.last() - after.first() + 1;
  Real price = 0, filled = 0;
  for (int i = 0; i < size && filled <= mass; ++i) {
    const int k = more_first ? after.last() - i : after.first() + i;
    const Real share = before.below(k);
    if (share == 0) continue;
    price = after.above(k) / share;
    filled += share;
  }
  Real sum = round_up(price * mass) + after.outside();
  for (int k = after.first(); k <= after.last(); ++k)
    sum += std::max<Real>(0, after.above(k) - round_down(price * before.below(k)));
  // A rounding of each difference, and one of each sum.
  const Real slack = (2 * Real(size) + 16) * std::numeric_limits<Real>::epsilon();
  return std::min<Real>(1, sum * (1 + slack));
}

}  // namespace

AdaptiveCondition::AdaptiveCondition(const DeletionRates& rates, int words, Bounds bounds)
    : rates_(rates),
      words_(words),
      bounds_(bounds),
      bin_(rates.bin_of(words)),
      inverse_(round_up(1 / Real{rate(bin_)})) {}

Real AdaptiveCondition::lost_part(int lost, size_t bin) const {
  const Real power = power_up(inverse_, lost);  // p^-a
  if (bin == bin_) return round_up(doubt_up(bounds_) * power);
  const int common = words_ - lost;
  const double p = rate(bin_), q = rate(bin);
  const BinomialBounds before(common, p), after(common, q);
  const auto most = [&](Real mass) {
    return most_after(before, after, /*more_first=*/q < p, round_up(mass * power));
  };
  return round_up(most(round_up(1 - Real{bounds_.pa})) + most(Real{bounds_.pb}));
}

Real AdaptiveCondition::gained_part(int gained, size_t bin) const {
  return power_up(round_up(1 / Real{rate(bin)}), gained);
}

Real AdaptiveCondition::price(Difference difference) const {
  const size_t bin = bin_after(difference.lost, difference.gained);
  return round_up(lost_part(difference.lost, bin) + gained_part(difference.gained, bin));
}

bool AdaptiveCondition::holds(Difference difference) const {
  const size_t bin = bin_after(difference.lost, difference.gained);
  return surely_below<Real>(lost_part(difference.lost, bin), gained_part(difference.gained, bin),
                            2);
}

int AdaptiveCondition::most_gained(int lost, int limit) const {
  int most = -1;
  while (most < limit) {
    const size_t bin = bin_after(lost, most + 1);
    const int end =
        static_cast<int>(std::min<int64_t>(limit, int64_t{rates_.last_of(bin)} - (words_ - lost)));
    const Real part = lost_part(lost, bin);
    int low = most, high = end;  // (lost, low) is certified, or most is -1; beyond high none is
    while (low < high) {
      const int middle = low + (high - low + 1) / 2;
      if (surely_below<Real>(part, gained_part(middle, bin), 2))
        low = middle;
      else
        high = middle - 1;
    }
    most = low;
    if (most < end) break;
  }
  return most;
}

EditFrontier adaptive_frontier(const DeletionRates& rates, int words, Bounds bounds) {
  const AdaptiveCondition condition(rates, words, bounds);
  EditFrontier frontier;
  // (0, 0) is certified because pa > pb.
  int gained = std::max(0, condition.most_gained(0, kMostGained));
  frontier.insertions = gained;
  frontier.pairs.emplace_back(0, gained);
  int lost = 0;
  while (lost < words) {
    const int next = condition.most_gained(lost + 1, gained);
    if (next < 0) break;
    ++lost;
    if (next == gained)
      frontier.pairs.back().first = lost;
    else
      frontier.pairs.emplace_back(lost, next);
    gained = next;
    if (gained >= lost) frontier.edits = lost;
  }
  frontier.deletions = lost;
  // r edits lose at most min(r, words) and gain at most r words.
  if (lost == words && gained >= words) frontier.edits = gained;
  const double p = sampled_probability(rates.bins()[rates.bin_of(words)].p);
  frontier.substitutions = edit_frontier(p, bounds, words).substitutions;
  return frontier;
}

}  // namespace textcrs
