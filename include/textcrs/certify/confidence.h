// Bounds on a probability from counts, rounded to the safe side.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "textcrs/base/api.h"
#include "textcrs/certify/certificate.h"

namespace TEXTCRS_API textcrs {

// One-sided Clopper-Pearson bounds at level alpha: the true probability is below the lower bound
// (or above the upper one) with probability at most alpha. lower(0, n) = 0, upper(n, n) = 1. Throws
// a usage Error unless 0 <= successes <= trials, 0 < trials <= 10^9, 0 < alpha < 1.
double clopper_pearson_lower(int64_t successes, int64_t trials, double alpha);
double clopper_pearson_upper(int64_t successes, int64_t trials, double alpha);

// How pB comes about (docs/certificates.md, C).
enum class BoundsMethod {
  kAuto,        // the better one for the number of classes: see resolved()
  kComplement,  // pA at alpha, pB = 1 - pA
  kJoint,       // pA at alpha/2, pB from the other classes' own counts at alpha/2
};
BoundsMethod parse_bounds_method(std::string_view name);  // "auto", "complement" or "joint"
std::string_view to_string(BoundsMethod method);

// What kAuto stands for: kJoint for more than two classes, else kComplement. The others stay.
BoundsMethod resolved(BoundsMethod method, size_t classes);

// Bounds that hold together with probability 1 - alpha: the probability of class `top` is at least
// pa, and that of every other class at most pb <= 1 - pa. counts[c] of `trials` votes went to class
// c; they need not add up to trials. `top` must not have been chosen by these votes. kAuto is
// resolved by the number of counts.
Bounds class_bounds(std::span<const int64_t> counts, size_t top, int64_t trials, double alpha,
                    BoundsMethod method);

}  // namespace textcrs
