// What stands between and behind the two layers of a reconstruction on a GPU; the layers themselves
// are those of kernels/cuda/rows.h.
#pragma once

#include "kernels/cuda/gpu.h"

namespace textcrs {

// Each number by itself, in place: what is below 0 becomes 0.
void relu_numbers(const GpuQueue& queue, float* numbers, int64_t count);

// Each number by itself, from fp32 to bf16, through a ReLU if asked for.
struct GpuRounding {
  int64_t count = 0;
  bool relu = false;
  const float* from = nullptr;
  GpuBf16* to = nullptr;
};
void round_numbers(const GpuQueue& queue, const GpuRounding& call);

}  // namespace textcrs
