// Attention over short sequences: a block for 64 queries of a head, a warp for 16 of them, the keys
// 64 at a time in shared memory, scores and outputs in registers (tensor cores, bf16 into fp32).
#include <cuda_bf16.h>

#include <cmath>

#include "kernels/cuda.h"
#include "kernels/cuda_launch.h"

namespace textcrs {
namespace {

constexpr int kWarps = 4, kThreads = 32 * kWarps;
constexpr int kQueries = 16 * kWarps, kKeys = 64;

// d (16x8) += a (16x16) b (16x8). Lane 4g + t holds of a the rows g and g + 8, the columns 2t,
// 2t + 1 and 8 more; of b the rows 2t, 2t + 1 and 8 more, the column g; of d the rows g (0, 1) and
// g + 8 (2, 3), the columns 2t, 2t + 1.
__device__ void multiply_add(float (&d)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
      "{%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// Two 8x8 blocks of shared memory, transposed; lanes 0 to 15 name the rows.
__device__ void load_transposed(uint32_t& b0, uint32_t& b1, const GpuBf16* row) {
  const auto at = static_cast<uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
               : "=r"(b0), "=r"(b1)
               : "r"(at));
}

__device__ uint32_t pack(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return reinterpret_cast<const uint32_t&>(pair);
}

__device__ uint32_t pair_at(const GpuBf16* at) { return *reinterpret_cast<const uint32_t*>(at); }

// Over the four lanes that share a row.
__device__ float largest_of_row(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
__device__ float sum_of_row(float x) {
  x += __shfl_xor_sync(0xffffffffu, x, 1);
  return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

template <int kSize>
__global__ void __launch_bounds__(kThreads)
    attention(GpuAttention call, float scale) {  // scale: log2(e) / sqrt(kSize)
  constexpr int kRow = kSize + 8;                // in shared memory: rows begin in different banks
  __shared__ __align__(16) GpuBf16 keys[kKeys * kRow], values[kKeys * kRow];
  const int head = blockIdx.x, sequence = blockIdx.y, tile = blockIdx.z;
  const int query_start = call.query_starts[sequence];
  const int queries = call.query_starts[sequence + 1] - query_start;
  if (tile * kQueries >= queries) return;
  const int key_start = call.key_starts[sequence];
  const int length = call.key_starts[sequence + 1] - key_start;
  const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
  const int first = tile * kQueries + static_cast<int>(threadIdx.x) / 32 * 16;
  const bool works = first < queries;

  uint32_t q[kSize / 16][4] = {};
  const GpuBf16* const my_query = call.queries + static_cast<int64_t>(head) * kSize;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = first + g + 8 * half;
    if (row >= queries) continue;
    const GpuBf16* const at = my_query + (query_start + row) * call.query_stride + 2 * t;
#pragma unroll
    for (int k = 0; k < kSize / 16; ++k) {
      q[k][half] = pair_at(at + 16 * k);
      q[k][half + 2] = pair_at(at + 16 * k + 8);
    }
  }

  float out[kSize / 8][4] = {};
  float largest[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
  for (int begin = 0; begin < length; begin += kKeys) {
    const int count = min(kKeys, length - begin);
    __syncthreads();
    constexpr int kVectors = kSize / 8;  // of 16 bytes, per row
    for (int i = threadIdx.x; i < kKeys * kVectors; i += kThreads) {
      const int row = i / kVectors, column = i % kVectors * 8;
      uint4 k = {}, v = {};
      if (row < count) {
        const int64_t at = (key_start + begin + row) * call.key_stride + head * kSize + column;
        k = *reinterpret_cast<const uint4*>(call.keys + at);
        v = *reinterpret_cast<const uint4*>(call.values + at);
      }
      *reinterpret_cast<uint4*>(keys + row * kRow + column) = k;
      *reinterpret_cast<uint4*>(values + row * kRow + column) = v;
    }
    __syncthreads();
    if (!works) continue;

    float scores[kKeys / 8][4];
    float highest[2] = {-INFINITY, -INFINITY};
#pragma unroll
    for (int n = 0; n < kKeys / 8; ++n) {
      float d[4] = {};
#pragma unroll
      for (int k = 0; k < kSize / 16; ++k) {
        const GpuBf16* const at = keys + (8 * n + g) * kRow + 16 * k + 2 * t;
        multiply_add(d, q[k], pair_at(at), pair_at(at + 8));
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        scores[n][i] = 8 * n + 2 * t + i % 2 < count ? d[i] * scale : -INFINITY;
        highest[i / 2] = fmaxf(highest[i / 2], scores[n][i]);
      }
    }
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const float now = fmaxf(largest[half], largest_of_row(highest[half]));
      const float shrink = exp2f(largest[half] - now);
      largest[half] = now;
      float sum = 0;
#pragma unroll
      for (int n = 0; n < kKeys / 8; ++n)
#pragma unroll
        for (int i = 2 * half; i < 2 * half + 2; ++i) {
          scores[n][i] = exp2f(scores[n][i] - now);
          sum += scores[n][i];
        }
      total[half] = total[half] * shrink + sum_of_row(sum);
#pragma unroll
      for (int n = 0; n < kSize / 8; ++n) {
        out[n][2 * half] *= shrink;
        out[n][2 * half + 1] *= shrink;
      }
    }
#pragma unroll
    for (int k = 0; k < kKeys / 16; ++k) {
      const uint32_t p[4] = {pack(scores[2 * k][0], scores[2 * k][1]),
                             pack(scores[2 * k][2], scores[2 * k][3]),
                             pack(scores[2 * k + 1][0], scores[2 * k + 1][1]),
                             pack(scores[2 * k + 1][2], scores[2 * k + 1][3])};
#pragma unroll
      for (int n = 0; n < kSize / 8; ++n) {
        uint32_t b0, b1;
        load_transposed(b0, b1, values + (16 * k + lane % 16) * kRow + 8 * n);
        multiply_add(out[n], p, b0, b1);
      }
    }
  }
  if (!works) return;
#pragma unroll
  for (int half = 0; half < 2; ++half) {
    const int row = first + g + 8 * half;
    if (row >= queries) continue;
    GpuBf16* const at =
        call.output + (static_cast<int64_t>(query_start + row) * call.heads + head) * kSize + 2 * t;
#pragma unroll
    for (int n = 0; n < kSize / 8; ++n)
      *reinterpret_cast<uint32_t*>(at + 8 * n) =
          pack(out[n][2 * half] / total[half], out[n][2 * half + 1] / total[half]);
  }
}

}  // namespace

bool knows(const GpuAttention& call) {
  return (call.head_size == 32 || call.head_size == 64) && call.query_stride % 8 == 0 &&
         call.key_stride % 8 == 0 && call.sequences <= 65535;
}

void run_on_gpu(const GpuAttention& call) {
  if (call.sequences == 0) return;
  const dim3 grid(static_cast<unsigned>(call.heads), static_cast<unsigned>(call.sequences),
                  static_cast<unsigned>((call.longest_query + kQueries - 1) / kQueries));
  const float scale = 1.44269504f / std::sqrt(static_cast<float>(call.head_size));
  if (call.head_size == 32)
    attention<32><<<grid, kThreads>>>(call, scale);
  else
    attention<64><<<grid, kThreads>>>(call, scale);
  check_launch("attention");
}

}  // namespace textcrs
