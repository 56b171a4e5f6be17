// The last layer: from pooled features to a class.
#pragma once

#include <span>
#include <vector>

namespace textcrs {

class Network;

class LinearHead {
 public:
  explicit LinearHead(const Network& network);  // "head.weight", "head.bias"

  int features() const { return features_; }
  // The class of the highest score, ties to the lowest index; sums in double precision.
  int classify(std::span<const float> features) const;

 private:
  int features_;
  std::vector<float> weight_, bias_;  // (classes, features), (classes)
};

}  // namespace textcrs
