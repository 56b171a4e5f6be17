// A row of numbers in the registers of a warp. For .cu files.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "kernels/cuda/gpu.h"

namespace textcrs {
namespace {

struct EightBf16 {
  __nv_bfloat162 pairs[4];
};

__device__ inline float sum_of_warp(float x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
  return x;
}

__device__ inline void load_eight(const float* from, int eight, float (&to)[8]) {
  const float4 low = __ldg(reinterpret_cast<const float4*>(from) + 2 * eight);
  const float4 high = __ldg(reinterpret_cast<const float4*>(from) + 2 * eight + 1);
  to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
  to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
}

// Lane l holds the eights l, l + 32, ... of a row; kEights of them at most.
template <int kEights>
struct NormRow {
  float values[kEights][8];

  // fill(eight, values) for each eight of the lane.
  template <typename Fill>
  __device__ void fill(int eights, Fill fill_eight) {
#pragma unroll
    for (int v = 0; v < kEights; ++v)
      if (lane() + 32 * v < eights) fill_eight(lane() + 32 * v, values[v]);
  }

  // Becomes (x - mean) / deviation.
  __device__ void normalize(int eights, float epsilon) {
    const auto width = static_cast<float>(8 * eights);
    float sum = 0;
#pragma unroll
    for (int v = 0; v < kEights; ++v)
      if (lane() + 32 * v < eights)
#pragma unroll
        for (int i = 0; i < 8; ++i) sum += values[v][i];
    const float mean = sum_of_warp(sum) / width;
    float squares = 0;
#pragma unroll
    for (int v = 0; v < kEights; ++v)
      if (lane() + 32 * v < eights)
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          values[v][i] -= mean;
          squares += values[v][i] * values[v][i];
        }
    const float scale = rsqrtf(sum_of_warp(squares) / width + epsilon);
#pragma unroll
    for (int v = 0; v < kEights; ++v)
#pragma unroll
      for (int i = 0; i < 8; ++i) values[v][i] *= scale;
  }

  // gain * x + shift, in bf16.
  __device__ void store(int eights, const float* gain, const float* shift, GpuBf16* to) const {
#pragma unroll
    for (int v = 0; v < kEights; ++v) {
      if (lane() + 32 * v >= eights) continue;
      float by[8], plus[8];
      load_eight(gain, lane() + 32 * v, by);
      load_eight(shift, lane() + 32 * v, plus);
      EightBf16 out;
#pragma unroll
      for (int i = 0; i < 4; ++i)
        out.pairs[i] =
            __floats2bfloat162_rn(fmaf(values[v][2 * i], by[2 * i], plus[2 * i]),
                                  fmaf(values[v][2 * i + 1], by[2 * i + 1], plus[2 * i + 1]));
      reinterpret_cast<uint4*>(to)[lane() + 32 * v] = reinterpret_cast<const uint4&>(out);
    }
  }

 private:
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
};

__device__ inline void add_eight(const float* from, int eight, float (&to)[8]) {
  float more[8];
  load_eight(from, eight, more);
#pragma unroll
  for (int i = 0; i < 8; ++i) to[i] += more[i];
}

// launch(std::integral_constant<int, kEights>) for a width of at most 1024.
template <typename Launch>
void for_width(int width, Launch launch) {
  switch ((width + 255) / 256) {
    case 1:
      return launch(std::integral_constant<int, 1>());
    case 2:
      return launch(std::integral_constant<int, 2>());
    case 3:
      return launch(std::integral_constant<int, 3>());
    case 4:
      return launch(std::integral_constant<int, 4>());
    default:
      throw std::logic_error("NormRow: too wide");
  }
}

constexpr int kNormWarps = 4;  // of a block; each has a row

__device__ inline int64_t row_of_warp() {
  return static_cast<int64_t>(blockIdx.x) * kNormWarps + threadIdx.x / 32;
}
inline unsigned norm_blocks(int64_t rows) {
  return static_cast<unsigned>((rows + kNormWarps - 1) / kNormWarps);
}

}  // namespace
}  // namespace textcrs
