#pragma once

#include <cmath>

namespace textcrs {

// With one decimal: what is certified is not rounded up to 100.
inline double percent_from_below(double share) {
  constexpr double kOfTheDivision = 1e-9;
  return std::floor(1000 * share + kOfTheDivision) / 10;
}

}  // namespace textcrs
