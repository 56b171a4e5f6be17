#include "certify/gaussian_radius.h"

#include <algorithm>
#include <cmath>

#include "certify/normal_quantile.h"
#include "textcrs/certify/certified_set.h"

namespace textcrs {

// Each quantile is moved against us by twice its error, and the relative 2^-48 covers the four
// roundings of the expression itself.
double gaussian_radius(double sigma, Bounds bounds) {
  const double qa = normal_quantile(bounds.pa), qb = normal_quantile(bounds.pb);
  if (std::isinf(qa) || std::isinf(qb)) return kUnlimited;
  const double error = 2 * kQuantileError * (std::abs(qa) + std::abs(qb));
  return std::max(0.0, sigma / 2 * ((qa - qb) - error) * (1 - 0x1p-48));
}

}  // namespace textcrs
