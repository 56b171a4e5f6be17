// A bidirectional LSTM with max-pooling over time, forward and backward, on the CPU.
//
// LibTorch's own backward pass of at::lstm on the CPU costs fifty times its forward pass (every
// step's slice is padded to the whole sequence); here the recurrence is written out: one product a
// step each way, all weight gradients in one product at the end, both directions in parallel.
#pragma once

#include <torch/types.h>

#include <vector>

namespace textcrs {

// words (R, D), packed as PackedCopies; weights: weight_ih (4H, D), weight_hh (4H, H), bias_ih
// (4H), bias_hh (4H), forwards then backwards (8 tensors). Returns the maximum over time of each
// copy's hidden states (B, 2H), in packed order. Differentiable in the weights and in words.
// `threads` are used forward and backward; the values do not depend on their number. LibTorch's own
// threads stay out of it: OpenMP's barriers cost more than these small products where cores are
// shared.
at::Tensor bilstm_max_pool_cpu(const at::Tensor& words, const std::vector<int64_t>& batch_sizes,
                               const std::vector<at::Tensor>& weights, int threads);

}  // namespace textcrs
