// A row of a tensor beside plain numbers.
#pragma once

#include <cmath>
#include <vector>

#include "torch/tensors.h"

namespace textcrs {

// The largest difference between a row of a tensor and plain numbers.
inline double difference(const at::Tensor& row, const std::vector<double>& expected) {
  const std::vector<float> values = to_plain(row).values;
  if (values.size() != expected.size()) return INFINITY;
  double largest = 0;
  for (size_t d = 0; d < expected.size(); ++d) {
    const double one = std::abs(values[d] - expected[d]);
    largest = one <= largest ? largest : one;  // a NaN counts
  }
  return largest;
}

}  // namespace textcrs
