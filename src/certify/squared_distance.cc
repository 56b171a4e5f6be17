#include "certify/squared_distance.h"

#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "certify/rounding.h"

namespace textcrs {

double squared_distance(std::span<const float> a, std::span<const float> b) {
  std::array<double, 4> sums{};
  size_t i = 0;
  for (; i + 4 <= a.size(); i += 4)
    for (size_t lane = 0; lane < 4; ++lane) {
      const double difference = double{a[i + lane]} - double{b[i + lane]};
      sums[lane] += difference * difference;
    }
  for (; i < a.size(); ++i) {
    const double difference = double{a[i]} - double{b[i]};
    sums[0] += difference * difference;
  }
  const double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  if (!std::isfinite(sum)) throw std::logic_error("embeddings: a vector is not finite");
  return sum;
}

// Each squared distance is off by at most a relative (d + 2) 2^-53, its multiple by one rounding
// more, and the sum of at most n of them by n - 1; raising by (d + n + 8) 2^-52 is more than twice
// that and covers its own roundings.
double distance_up(double squares, int dimension, size_t terms) {
  const double operations = static_cast<double>(dimension) + static_cast<double>(terms) + 8;
  return round_up(std::sqrt(squares * (1 + operations * std::numeric_limits<double>::epsilon())));
}

}  // namespace textcrs
