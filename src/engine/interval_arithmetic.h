// Interval arithmetic in double precision that errs on one side only.
//
// A bound holds for two numbers at once: the exact value over the real numbers, and the one that a
// plain evaluation in double precision computes. The computed sum of n products, in any order, with
// fused operations or without, is off from the exact one by at most gamma(n) times the sum of their
// absolute values (Higham, Accuracy and Stability of Numerical Algorithms, 3.1), so bounds are
// moved apart by the errors of both, the bound's own and the plain evaluation's. Values stay far
// from overflow, which WordBoxes and the networks check, and absolute slack covers underflow.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

namespace textcrs {

// Coordinate by coordinate.
struct Box {
  std::vector<double> low, high;
};

constexpr double kRoundOff = std::numeric_limits<double>::epsilon() / 2;
constexpr double gamma_of(size_t n) { return 1.01 * static_cast<double>(n) * kRoundOff; }

// No magnitude that a network computes may be larger: neither floats nor doubles then overflow.
constexpr double kLargestMagnitude = 1e30;

struct Interval {
  double low, high;

  double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
  Interval wider(double slack) const { return {low - slack, high + slack}; }
  Interval within(double least, double most) const {
    return {std::max(low, least), std::min(high, most)};
  }
};

inline Interval operator+(Interval a, Interval b) { return {a.low + b.low, a.high + b.high}; }

// Of a factor that is never negative.
inline Interval product(Interval factor, Interval b) {
  return {b.low * (b.low < 0 ? factor.high : factor.low),
          b.high * (b.high < 0 ? factor.low : factor.high)};
}

// The standard library's exp and tanh are taken to be right within 4 units in the last place
// (glibc's manual names 1 and 2). With the rest of the logistic function that is less than this, of
// a value of at most 1, even twice.
constexpr double kActivationSlack = 16 * std::numeric_limits<double>::epsilon();

inline double logistic(double x) { return 1 / (1 + std::exp(-x)); }
inline Interval logistic(Interval x) {
  return Interval{logistic(x.low), logistic(x.high)}.wider(kActivationSlack).within(0, 1);
}
inline Interval hyperbolic_tangent(Interval x) {
  return Interval{std::tanh(x.low), std::tanh(x.high)}.wider(kActivationSlack).within(-1, 1);
}

}  // namespace textcrs
