// The first layer over words that may be replaced by their candidates, in LibTorch: what
// src/engine/word_boxes.h is for a model at rest.
#pragma once

#include <torch/types.h>

#include <vector>

#include "textcrs/text/synonyms.h"

namespace textcrs {

// Boxes of W x + b, one row for each different word of a batch.
struct BatchBoxes {
  at::Tensor low, high;         // (U, columns)
  std::vector<int64_t> row_of;  // by word id; -1 for a word that is not in the batch
  // The rows of these words, on the boxes' device.
  at::Tensor rows(const std::vector<int64_t>& words) const;
};

// `words` may repeat. The smallest box that holds the images of a word and its candidates, shrunk
// to `scale` of its size around the word's own. W is (columns, D), b (columns). Gradients flow to
// all three tensors, but for the vector of PAD.
BatchBoxes batch_boxes(const std::vector<int64_t>& words, const SynonymTable& synonyms,
                       const at::Tensor& vectors, const at::Tensor& weight, const at::Tensor& bias,
                       double scale);

}  // namespace textcrs
