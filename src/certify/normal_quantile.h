// Phi^-1, the quantile of the standard normal distribution, with its error stated.
#pragma once

namespace textcrs {

// Phi^-1(p) within a relative kQuantileError; -infinity and infinity at 0 and 1. Boost.Math
// evaluates erfc_inv in extended precision and documents errors of a few double ulps; 2^-46 is 64
// of them.
constexpr double kQuantileError = 0x1p-46;
double normal_quantile(double p);

}  // namespace textcrs
