// The map of the slots (src/model/slot_map.h) in LibTorch.
#pragma once

#include <torch/types.h>

namespace textcrs {

// What is not defined is left out; the default is the identity.
struct SlotMap {
  at::Tensor mean;                          // (D)
  at::Tensor encoder_weight, encoder_bias;  // (H, D), (H)
  at::Tensor decoder_weight, decoder_bias;  // (D, H), (D)

  bool reconstructs() const { return encoder_weight.defined(); }
  bool is_identity() const { return !mean.defined() && !reconstructs(); }

  // Row by row, (R, D).
  at::Tensor operator()(const at::Tensor& noisy) const;
};

// The sum over the rows of share times the mean squared error of the row: `share` (R), the others
// (R, D). What is to be reconstructed gets no gradient.
at::Tensor reconstruction_error(const at::Tensor& reconstructed, const at::Tensor& clean,
                                const at::Tensor& share);

}  // namespace textcrs
