// LayerNorm(x + residual): one warp per row, the row in registers, read once and written once.
#include <cuda_bf16.h>

#include "kernels/cuda.h"
#include "kernels/cuda_launch.h"

namespace textcrs {
namespace {

constexpr int kMostVectors = 4;  // of 8 numbers, per lane
constexpr int kWarps = 4;

struct Eight {
  __nv_bfloat162 pairs[4];
};

__device__ float2 pair_of(const uint4& vector, int i) {
  return __bfloat1622float2(reinterpret_cast<const Eight&>(vector).pairs[i]);
}

__device__ float sum_of_warp(float x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
  return x;
}

__global__ void add_norm(int64_t rows, int vectors, float epsilon, const uint4* x,
                         const uint4* residual, const uint4* gain, const uint4* shift,
                         uint4* output) {
  const int64_t row = static_cast<int64_t>(blockIdx.x) * kWarps + threadIdx.y;
  if (row >= rows) return;
  const int lane = threadIdx.x;
  x += row * vectors;
  residual += row * vectors;
  float2 values[kMostVectors][4];
  float sum = 0;
#pragma unroll
  for (int v = 0; v < kMostVectors; ++v) {
    const int at = lane + 32 * v;
    if (at >= vectors) continue;
    const uint4 a = x[at], b = residual[at];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float2 p = pair_of(a, i), q = pair_of(b, i);
      values[v][i] = {p.x + q.x, p.y + q.y};
      sum += values[v][i].x + values[v][i].y;
    }
  }
  const float mean = sum_of_warp(sum) / static_cast<float>(8 * vectors);
  float squares = 0;
#pragma unroll
  for (int v = 0; v < kMostVectors; ++v) {
    if (lane + 32 * v >= vectors) continue;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float dx = values[v][i].x - mean, dy = values[v][i].y - mean;
      squares += dx * dx + dy * dy;
    }
  }
  const float scale = rsqrtf(sum_of_warp(squares) / static_cast<float>(8 * vectors) + epsilon);
#pragma unroll
  for (int v = 0; v < kMostVectors; ++v) {
    const int at = lane + 32 * v;
    if (at >= vectors) continue;
    const uint4 g = gain[at], s = shift[at];
    Eight out;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const float2 p = pair_of(g, i), q = pair_of(s, i);
      out.pairs[i] = __floats2bfloat162_rn((values[v][i].x - mean) * scale * p.x + q.x,
                                           (values[v][i].y - mean) * scale * p.y + q.y);
    }
    output[row * vectors + at] = reinterpret_cast<const uint4&>(out);
  }
}

}  // namespace

bool knows(const GpuAddNorm& call) {
  return call.width % 8 == 0 && call.width <= 8 * 32 * kMostVectors;
}

void run_on_gpu(const GpuAddNorm& call) {
  if (call.rows == 0) return;
  const auto vectors = [](const GpuBf16* at) { return reinterpret_cast<const uint4*>(at); };
  const auto blocks = static_cast<unsigned>((call.rows + kWarps - 1) / kWarps);
  add_norm<<<blocks, dim3(32, kWarps)>>>(
      call.rows, call.width / 8, call.epsilon, vectors(call.x), vectors(call.residual),
      vectors(call.gain), vectors(call.shift), reinterpret_cast<uint4*>(call.output));
  check_launch("add_norm");
}

}  // namespace textcrs
