// The probabilities of a binomial distribution, each from below and from above.
#pragma once

#include <vector>

#include "certify/rounding.h"

namespace textcrs {

// How many of n words survive if each is deleted with probability p, 0 < p < 1, independently.
//
// The terms C(n, k) (1-p)^k p^(n-k) are computed from one near the largest outward, each from its
// neighbour, and divided by their sum, which is 1 for the exact ones: no power and no factorial is
// needed, and nothing underflows. Where a term is below 2^-200 of the first, all further ones are,
// too; they are left out of the window [first(), last()].
//
// A step takes two operations for the odds (1-p)/p and three more, each with a relative error of at
// most u = eps/2, so the k-th term is off by at most 5 n u, their sum by 6 n u and the quotient by
// (11 n + 2) u, to first order. The bounds are that quotient moved by (16 n + 64) u, which also
// covers their own roundings and, for n u < 10^-3, all higher orders.
class BinomialBounds {
 public:
  BinomialBounds(int n, double p);

  int first() const { return first_; }
  int last() const { return first_ + static_cast<int>(terms_.size()) - 1; }

  // The probability of k survivors: from below, 0 outside the window; and from above, inside it.
  Real below(int k) const { return contains(k) ? term(k) * to_below_ : 0; }
  Real above(int k) const { return term(k) * to_above_; }
  // That of all numbers outside the window, from above.
  Real outside() const { return outside_; }

 private:
  bool contains(int k) const { return k >= first_ && k <= last(); }
  Real term(int k) const { return terms_[static_cast<size_t>(k - first_)]; }

  int first_ = 0;
  std::vector<Real> terms_;
  Real to_below_ = 0, to_above_ = 0;  // factors that make bounds of terms
  Real outside_ = 0;
};

}  // namespace textcrs
