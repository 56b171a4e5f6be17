// Bounds on a probability from counts, rounded to the safe side.
#pragma once

#include <cstdint>

namespace textcrs {

// One-sided Clopper-Pearson bounds at level alpha: the true probability is below the lower bound
// (or above the upper one) with probability at most alpha. lower(0, n) = 0, upper(n, n) = 1. Throws
// a usage Error unless 0 <= successes <= trials, 0 < trials <= 10^9, 0 < alpha < 1.
double clopper_pearson_lower(int64_t successes, int64_t trials, double alpha);
double clopper_pearson_upper(int64_t successes, int64_t trials, double alpha);

}  // namespace textcrs
