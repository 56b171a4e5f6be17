// The gradients of a sum of losses whose terms several threads compute, each alone.
#pragma once

#include <torch/types.h>

#include <cstddef>
#include <functional>

#include "torch/tensors.h"

namespace textcrs {

// What a step on the CPU is divided into, so that threads find work. Part of what decides the bits
// of the weights, so never a function of the machine.
constexpr int kPartsAtOnce = 16;

// The sum of loss_of(i), scalars, over all i below `parts`; its gradients by the parameters are
// left in them. loss_of and its backward pass run on `threads` threads, in which LibTorch has none
// of its own: how it divides a sum among those decides the order of the additions. The terms are
// added in their order, so nothing depends on `threads`.
double sum_gradients(const TensorMap& parameters, size_t parts, int threads,
                     const std::function<at::Tensor(size_t)>& loss_of);

}  // namespace textcrs
