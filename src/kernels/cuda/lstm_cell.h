// What the two LSTM kernels share. For .cu files.
//
// A warp holds the gates of 16 copies and 8 units as the tensor cores give them: lane 4 g + t has,
// of copy g (half 0) and copy g + 8 (half 1), the units 2 t and 2 t + 1 (j = 0, 1); the four gates
// of each at gates[4 gate + 2 half + j].
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "kernels/cuda/lstm.h"

namespace textcrs {
namespace {

__device__ inline float tanh_of(float x) {
  float y;
  asm("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Of twice the argument.
__device__ inline float sigmoid_of(float half) { return fmaf(0.5f, tanh_of(half), 0.5f); }

// The gates as the row of the copy of one half has them; `row` begins with the
// lane's pair of units.
__device__ inline void read_row(const float* row, int half, float* gates) {
  const float4 first = __ldg(reinterpret_cast<const float4*>(row));
  const float4 second = __ldg(reinterpret_cast<const float4*>(row) + 4);
  gates[2 * half] = first.x, gates[2 * half + 1] = first.y;
  gates[4 + 2 * half] = first.z, gates[4 + 2 * half + 1] = first.w;
  gates[8 + 2 * half] = second.x, gates[8 + 2 * half + 1] = second.y;
  gates[12 + 2 * half] = second.z, gates[12 + 2 * half + 1] = second.w;
}

// Before the first step: no state is as low.
__device__ inline __half2 no_maximum() { return __float2half2_rn(-2.0f); }

// One step of the copy of one half: its cells (2 half + j), the maxima of the states, as fp16 has
// them, and the new states in bf16.
__device__ inline __nv_bfloat162 activate(const float* gates, int half, bool counts, float* cells,
                                          __half2& best) {
  float states[2];
#pragma unroll
  for (int j = 0; j < 2; ++j) {
    const int at = 2 * half + j;
    const float in = sigmoid_of(gates[at]), forget = sigmoid_of(gates[4 + at]);
    const float candidate = tanh_of(gates[8 + at]), out = sigmoid_of(gates[12 + at]);
    cells[at] = fmaf(forget, cells[at], in * candidate);
    states[j] = out * tanh_of(cells[at]);
  }
  if (counts) best = __hmax2(best, __floats2half2_rn(states[0], states[1]));
  return __floats2bfloat162_rn(states[0], states[1]);
}

__device__ inline float add_products(float2 weights, __half2 best, float sum) {
  const float2 maxima = __half22float2(best);
  return fmaf(weights.y, maxima.y, fmaf(weights.x, maxima.x, sum));
}

// Over the four lanes of a copy.
__device__ inline float sum_of_lanes(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

// The steps of one copy in one direction.
class CopyReader {
 public:
  // `place` is that of the copy in the order; behind the last there is a copy nobody counts.
  __device__ CopyReader(const GpuLstmRun& run, int place, bool reverse) {
    if (place >= run.copies.count) return;
    const int copy = run.order[place], found = min(run.copies.lengths[copy], run.slots);
    length_ = max(1, found);
    const int slot = reverse ? length_ - 1 : 0;
    if (run.row_per_slot) {
      row_ = static_cast<uint32_t>(copy) * static_cast<uint32_t>(run.slots) +
             static_cast<uint32_t>(slot);
      to_next_ = reverse ? -1 : 1;
    } else if (found > 0) {
      words_ = run.copies.words + run.copies.starts[copy] +
               static_cast<int64_t>(slot) * run.copies.stride;
      to_next_ = reverse ? -run.copies.stride : run.copies.stride;
    }
  }

  __device__ bool has(int step) const { return step < length_; }
  // The row of a step, asked for in their order; behind the last, some row.
  __device__ uint32_t row(int step) {
    if (step >= length_) return 0;
    if (words_ == nullptr) {  // PAD, or a row of its own for every slot
      const uint32_t row = row_;
      row_ += static_cast<uint32_t>(to_next_);
      return row;
    }
    const uint32_t word = static_cast<uint32_t>(__ldg(words_));
    words_ += to_next_;
    return word;
  }

 private:
  int length_ = 0, to_next_ = 0;
  uint32_t row_ = 0;
  const int32_t* words_ = nullptr;
};

}  // namespace
}  // namespace textcrs
