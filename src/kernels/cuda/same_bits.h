#pragma once

#include "kernels/cuda/gpu.h"

namespace textcrs {

// Whether `at`, `bytes` of it, is the `step` bytes of `expected` again and again. All three are
// multiples of 4. Waits for the queue.
bool repeats_on_gpu(const GpuQueue& queue, const void* at, size_t bytes, const void* expected,
                    size_t step);

}  // namespace textcrs
