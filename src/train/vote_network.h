// From learnt parameters to scores: a free number per row and class, for words plus what a small
// network makes of the word's vector, brought between 0 and a cap. Rows are the words, then those
// of the windows of 2 words, then of 3.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "textcrs/model/weights.h"

namespace textcrs {

// The scores of some rows, with what the way back needs.
struct VoteForward {
  std::vector<uint32_t> rows;
  std::vector<float> raw;     // (rows, classes), before they are brought into bounds
  std::vector<float> hidden;  // (rows, hidden), up to the last word
  std::vector<float> scores;  // (rows, classes)
};

class VoteNetwork {
 public:
  // `rows` of the words and of each width of windows. `vectors` (words, dimension) must outlive it;
  // empty, or hidden = 0: no network.
  VoteNetwork(std::vector<size_t> rows, size_t classes, std::span<const float> vectors,
              size_t dimension, size_t hidden, uint64_t seed);

  Weights& parameters() { return parameters_; }
  const Weights& parameters() const { return parameters_; }
  std::span<float> values(const char* name) { return parameters_.at(name).values; }
  std::span<const float> values(const char* name) const { return parameters_.at(name).values; }

  // `rows` ascend.
  void forward(std::vector<uint32_t> rows, VoteForward& out) const;
  // From the gradient by the scores to that by the parameters, which are added to `gradient`; both
  // have the parameters' shapes. A score at its cap passes on a tenth of what pulls it further up.
  void backward(const VoteForward& at, std::span<const float> by_scores, Weights& gradient) const;

  static constexpr const char* kFree = "free";
  static constexpr const char* kBias = "bias";
  static constexpr const char* kCaps = "caps";  // (kinds, classes)

 private:
  size_t kind_of(size_t row) const;  // 0: a word, 1: a window of two, ...

  std::vector<size_t> ends_;  // behind the last row of each kind
  size_t classes_, dimension_, hidden_;
  std::span<const float> vectors_;
  Weights parameters_;
};

}  // namespace textcrs
