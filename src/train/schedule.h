// The one-cycle learning-rate schedule: warm-up and decay.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace textcrs {

// From peak/25 up to peak over the share `warm_up` of the steps and down to peak/10^4 at the end,
// both along a cosine. step counts from 0.
inline double one_cycle(double peak, int64_t step, int64_t steps, double warm_up) {
  const double start = peak / 25, end = peak / 1e4;
  const double turn = std::max(1.0, warm_up * static_cast<double>(steps));
  const double rest = std::max(1.0, static_cast<double>(steps) - 1 - turn);
  const auto along = [](double from, double to, double share) {
    return to + (from - to) * (1 + std::cos(std::numbers::pi * std::clamp(share, 0.0, 1.0))) / 2;
  };
  const auto now = static_cast<double>(step);
  return now < turn ? along(start, peak, now / turn) : along(peak, end, (now - turn) / rest);
}

}  // namespace textcrs
