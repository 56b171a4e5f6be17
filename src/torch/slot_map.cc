#include "torch/slot_map.h"

namespace textcrs {

at::Tensor SlotMap::operator()(const at::Tensor& noisy) const {
  const at::Tensor moved = mean.defined() ? noisy + mean : noisy;
  if (!reconstructs()) return moved;
  return at::linear(at::relu(at::linear(moved, encoder_weight, encoder_bias)), decoder_weight,
                    decoder_bias);
}

at::Tensor reconstruction_error(const at::Tensor& reconstructed, const at::Tensor& clean,
                                const at::Tensor& share) {
  return (reconstructed - clean.detach()).square().mean(1).mul(share).sum();
}

}  // namespace textcrs
