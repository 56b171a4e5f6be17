// The last layer: from pooled features to scores.
#pragma once

#include <span>
#include <vector>

namespace textcrs {

class Classifier;

class LinearHead {
 public:
  explicit LinearHead(const Classifier& classifier);  // "head.weight", "head.bias"

  size_t classes() const { return bias_.size(); }
  // Sums in double precision.
  void score(std::span<const float> features, std::span<double> scores) const;

 private:
  std::vector<float> weight_, bias_;
};

}  // namespace textcrs
