// How much likelier an event can become under another law: hockey-stick curves and their
// composition (docs/certificates.md, B6).
//
// For a law P (around the text) and a law Q (around the edited text) the curve is
//   H(t) = sum over outcomes of max(0, Q - t P) = max over events S of Q(S) - t P(S),   t >= 0:
// convex, falling, H(0) = 1, and every event S has Q(S) <= t P(S) + H(t). Equal laws have
// H(t) = max(0, 1 - t). Curves live on the grid t_i = e^(i kStep), kLowest <= i <= kHighest.
#pragma once

#include <vector>

namespace textcrs {

// On synonym graphs of 5,000 words no radius changed between steps of 1/16 and 1/256.
constexpr double kStep = 1.0 / 64;
constexpr int kLowest = -8 * 64, kHighest = 16 * 64;

double grid_ratio(int i);  // t_i, off by a relative 2^-52 at most
// The largest i with t_i <= ratio; kLowest - 1 if there is none. ratio >= 0.
int grid_cell(double ratio);

// Upper bounds of a curve at the grid points low .. high(). Between grid points the bound is linear
// in t, which lies above any convex curve through or below the points; likewise below low it is the
// line to H(0) = 1. Above high() it is constant. By default the curve of two equal laws.
struct LossCurve {
  int low = 0;
  std::vector<double> values = {0.0};

  int high() const { return low + static_cast<int>(values.size()) - 1; }
  double at(int i) const;
  void raise(const LossCurve& other);  // to the pointwise maximum: a bound for either pair of laws
  // The largest Q(S) over all events S with P(S) <= p: the least t_i p + H(t_i), at most 1. Exact
  // up to a few units of rounding.
  double most(double p) const;
};

// The distribution under Q of the loss ln(Q/P), for a pair of laws that dominates the product of
// the pairs composed so far: its curve is nowhere below theirs. By default of two equal laws.
// Masses are non-negative and may add up to a little more than 1; whatever is rounded, cut or moved
// raises the curve.
class LossDistribution {
 public:
  // The product of the pair so far and a pair with this curve (or below it).
  void compose(const LossCurve& curve);
  LossCurve curve() const;

 private:
  static LossDistribution from(const LossCurve& curve);
  void trim();

  int low_ = 0;  // the loss of masses_[k] is (low_ + k) kStep
  std::vector<double> masses_ = {1.0};
  double infinite_ = 0;  // mass where P = 0. The mass where Q = 0 never matters and is not kept.
};

}  // namespace textcrs
