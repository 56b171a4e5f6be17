// Which mixtures of lost and gained words are certified if the deletion probability depends on the
// length (docs/certificates.md, B13).
#pragma once

#include <cstddef>

#include "certify/edit_frontier.h"
#include "certify/rounding.h"
#include "noise/deletion_rates.h"

namespace textcrs {

// With p the probability around the text and q that around the edited one, which has words - a + b
// words, (a, b) is certified iff S + q^-b < 2. S is t p^-a where q = p, as in B2; else it is what
// the exact worst case of the change from p to q leaves, from above.
class AdaptiveCondition {
 public:
  // The rates must outlive it. Requires words >= 0 and valid bounds with pa > pb.
  AdaptiveCondition(const DeletionRates& rates, int words, Bounds bounds);

  // S + q^-b from above, for a <= words.
  Real price(Difference difference) const;
  // Whether it is below 2.
  bool holds(Difference difference) const;

  // The largest b <= limit such that (lost, 0), .., (lost, b) are all certified; -1 if not even
  // (lost, 0) is. For b whose texts are in one bin S is the same, so the work is one S per bin.
  int most_gained(int lost, int limit) const;

 private:
  double rate(size_t bin) const { return sampled_probability(rates_.bins()[bin].p); }
  size_t bin_after(int lost, int gained) const { return rates_.bin_of(words_ - lost + gained); }
  Real lost_part(int lost, size_t bin) const;      // S
  Real gained_part(int gained, size_t bin) const;  // q^-b

  const DeletionRates& rates_;
  int words_;
  Bounds bounds_;
  size_t bin_;    // of the text
  Real inverse_;  // 1 / p from above
};

// The largest set of certified pairs that holds every pair below each of its own: whether a pair is
// certified need not fall in a and b when a bin's edge is crossed. Substitutions keep the length,
// so their number is that of B2.
EditFrontier adaptive_frontier(const DeletionRates& rates, int words, Bounds bounds);

}  // namespace textcrs
