// Arithmetic that errs on one side only.
//
// Every + - * / and every conversion of IEEE arithmetic is off by at most half an ulp, a relative
// eps / 2 with eps = numeric_limits<T>::epsilon(). Let x > 0 be the computed result of one
// operation and e the exact one: e <= x (1 + eps). round_up(x) is computed as x * (1 + 2 eps),
// itself off by at most eps / 2, so
//   round_up(x) >= x (1 + 2 eps) (1 - eps / 2) >= x (1 + eps) >= e,
// and round_down(x) <= e in the same way. This needs normal numbers; callers keep their values
// above numeric_limits<T>::min() or exactly 0. Overflow to infinity is on the safe side of
// round_up.
#pragma once

#include <algorithm>
#include <limits>

#include "textcrs/certify/bounds.h"

namespace textcrs {

using Real = long double;

template <typename T>
constexpr T round_up(T x) {
  return x * (1 + 2 * std::numeric_limits<T>::epsilon());
}
template <typename T>
constexpr T round_down(T x) {
  return x * (1 - 2 * std::numeric_limits<T>::epsilon());
}

// True only if the exact a + b is below `limit`; a, b >= 0.
template <typename T>
constexpr bool surely_below(T a, T b, T limit) {
  return a + b < round_down(limit);
}

// x^k from above, for x >= 1, by repeated squaring with every product rounded up.
constexpr Real power_up(Real x, int k) {
  Real result = 1;
  for (; k > 0; k >>= 1) {
    if (k & 1) result = round_up(result * x);
    x = round_up(x * x);
  }
  return result;
}

// t = 1 - (pA - pB) from above, in (0, 1 + a few ulps].
constexpr Real doubt_up(Bounds bounds) {
  const Real t = round_up(round_up(1 - Real{bounds.pa}) + Real{bounds.pb});
  return std::max<Real>(t, std::numeric_limits<double>::min());
}

// pA - pB from below.
constexpr Real margin_down(Bounds bounds) { return round_down(Real{bounds.pa} - Real{bounds.pb}); }

}  // namespace textcrs
