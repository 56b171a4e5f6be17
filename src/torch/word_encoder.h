// A map of the word vectors, trained jointly with the network behind it so that a word and its
// candidates come to lie near each other (CISS, Zhao et al. 2022).
#pragma once

#include "textcrs/model/classifier.h"
#include "torch/copies.h"
#include "torch/tensors.h"

namespace textcrs {

// Two fully connected layers with a rectifier between them: E(x) = V relu(W x + a) + b. It begins
// near the identity. There is no direct path from x to E(x): over a box that would add its full
// width, whatever is learnt.
class WordEncoder {
 public:
  // Of the classifier's vectors, which stay as they are; `hidden` 0: twice their dimension.
  WordEncoder(const Classifier& classifier, int hidden, uint64_t seed, const at::Device& device);

  // "encoder.0.weight", ..: leaves that require gradients.
  const TensorMap& parameters() const { return parameters_; }

  // (V, D): E of every word; PAD stays zero.
  at::Tensor table() const;

  // The sum over the copies of the mean over its words of the l2 width of E over the word's box,
  // the smallest that holds the vectors of the word and its candidates, by interval bounds. No
  // candidate is farther from its word than that.
  at::Tensor widths(const CopyView& copies, int slots) const;

 private:
  at::Tensor vectors_, low_, high_;  // (V, D), the words' and their boxes'
  TensorMap parameters_;
};

}  // namespace textcrs
