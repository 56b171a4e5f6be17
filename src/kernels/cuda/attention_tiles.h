// Queries in the registers of a warp that read keys and values in shared memory. For .cu files.
#pragma once

#include <cmath>

#include "kernels/cuda/gpu.h"
#include "kernels/cuda/tensor_cores.h"

namespace textcrs {
namespace {

// A 16x16 block of shared memory, its 8x8 blocks transposed; lanes name rows as in load_block.
__device__ void load_transposed(uint32_t (&b)[4], const GpuBf16* row) {
  const auto at = static_cast<uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
               : "r"(at));
}

// 16 bytes to shared memory, or zeros, while the threads go on.
__device__ void begin_copy(GpuBf16* to, const GpuBf16* from, bool zeros) {
  const auto at = static_cast<uint32_t>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(at), "l"(from),
               "r"(zeros ? 0 : 16));
}
__device__ void end_of_copies() { asm volatile("cp.async.commit_group;"); }
// Until at most kLeft of the groups of copies are under way.
template <int kLeft>
__device__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kLeft) : "memory");
}

__device__ uint32_t pack(float low, float high) {
  const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
  return reinterpret_cast<const uint32_t&>(pair);
}

__device__ float power_of_two(float x) {
  float y;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// Over the four lanes that share a row.
__device__ float largest_of_row(float x) {
  x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}
__device__ float sum_of_row(float x) {
  x = __fadd_rn(x, __shfl_xor_sync(0xffffffffu, x, 1));
  return __fadd_rn(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

// Rows of a head in shared memory, kRows of them at most, a multiple of 16.
template <int kSize, int kRows>
struct HeadTile {
  static constexpr int kRow = kSize + 8;  // rows begin in different banks
  GpuBf16 bits[kRows * kRow];

  // The first `count` rows, and zeros up to the next multiple of 16.
  __device__ void begin_load(const GpuBf16* from, int64_t stride, int count) {
    constexpr int kVectors = kSize / 8;  // of 16 bytes, per row
    const int rows = (count + 15) / 16 * 16;
    for (int i = static_cast<int>(threadIdx.x); i < rows * kVectors;
         i += static_cast<int>(blockDim.x)) {
      const int row = i / kVectors, column = i % kVectors * 8;
      const bool beyond = row >= count;
      begin_copy(bits + row * kRow + column, from + (beyond ? 0 : row * stride) + column, beyond);
    }
  }
  // Where the lane's row of the 16x16 block at (row, column) is.
  __device__ const GpuBf16* block(int row, int column, int lane) const {
    return bits + (row + lane % 16) * kRow + column + lane / 16 * 8;
  }
};

// The queries of a warp: kTiles times 16.
template <int kSize, int kTiles>
struct Queries {
  uint32_t q[kTiles][kSize / 16][4];
  float out[kTiles][kSize / 8][4] = {};
  float largest[kTiles][2], total[kTiles][2] = {};

  template <int kRows>
  __device__ void load(const HeadTile<kSize, kRows>& tile, int first, int lane) {
#pragma unroll
    for (int m = 0; m < kTiles; ++m) {
      largest[m][0] = largest[m][1] = -INFINITY;
#pragma unroll
      for (int k = 0; k < kSize / 16; ++k)
        load_block(q[m][k], tile.block(first + 16 * m, 16 * k, lane));
    }
  }

  // Up to kRows keys. scale: times log2(e).
  template <int kRows>
  __device__ void read(const HeadTile<kSize, kRows>& keys, const HeadTile<kSize, kRows>& values,
                       int count, float scale, int lane) {
    switch ((count + 15) / 16) {
      case 1:
        return read_blocks<1>(keys, values, count, scale, lane);
      case 2:
        return read_blocks<2>(keys, values, count, scale, lane);
      case 3:
        return read_blocks<3>(keys, values, count, scale, lane);
      default:
        return read_blocks<4>(keys, values, count, scale, lane);
    }
  }

  __device__ void store(GpuBf16* to, int64_t stride, int count, int lane) const {
#pragma unroll
    for (int m = 0; m < kTiles; ++m)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = 16 * m + lane / 4 + 8 * half;
        if (row >= count) continue;
        const float part = __fdividef(1.0f, total[m][half]);
        GpuBf16* const at = to + row * stride + lane % 4 * 2;
#pragma unroll
        for (int n = 0; n < kSize / 8; ++n)
          *reinterpret_cast<uint32_t*>(at + 8 * n) =
              pack(__fmul_rn(out[m][n][2 * half], part), __fmul_rn(out[m][n][2 * half + 1], part));
      }
  }

 private:
  // kBlocks of 16 keys; only the last may have fewer.
  template <int kBlocks, int kRows>
  __device__ void read_blocks(const HeadTile<kSize, kRows>& keys,
                              const HeadTile<kSize, kRows>& values, int count, float scale,
                              int lane) {
    if constexpr (16 * kBlocks <= kRows) {
      float scores[kTiles][2 * kBlocks][4] = {};
#pragma unroll
      for (int n = 0; n < kBlocks; ++n)
#pragma unroll
        for (int k = 0; k < kSize / 16; ++k) {
          uint32_t b[4];
          load_block(b, keys.block(16 * n, 16 * k, lane));
#pragma unroll
          for (int m = 0; m < kTiles; ++m) {
            multiply_add(scores[m][2 * n], q[m][k], b[0], b[2]);
            multiply_add(scores[m][2 * n + 1], q[m][k], b[1], b[3]);
          }
        }
#pragma unroll
      for (int n = 2 * kBlocks - 2; n < 2 * kBlocks; ++n)
#pragma unroll
        for (int i = 0; i < 4; ++i)
          if (8 * n + lane % 4 * 2 + i % 2 >= count)
#pragma unroll
            for (int m = 0; m < kTiles; ++m) scores[m][n][i] = -INFINITY;
#pragma unroll
      for (int m = 0; m < kTiles; ++m) weigh<kBlocks>(m, scores[m], scale);
#pragma unroll
      for (int k = 0; k < kBlocks; ++k) {
        uint32_t p[kTiles][4];
#pragma unroll
        for (int m = 0; m < kTiles; ++m)
#pragma unroll
          for (int i = 0; i < 4; ++i)
            p[m][i] =
                pack(scores[m][2 * k + i / 2][i % 2 * 2], scores[m][2 * k + i / 2][i % 2 * 2 + 1]);
#pragma unroll
        for (int n = 0; n < kSize / 16; ++n) {
          uint32_t b[4];
          load_transposed(b, values.block(16 * k, 16 * n, lane));
#pragma unroll
          for (int m = 0; m < kTiles; ++m) {
            multiply_add(out[m][2 * n], p[m], b[0], b[1]);
            multiply_add(out[m][2 * n + 1], p[m], b[2], b[3]);
          }
        }
      }
    }
  }

  // The scores of a tile become weights, by the largest score so far.
  template <int kBlocks>
  __device__ void weigh(int m, float (&scores)[2 * kBlocks][4], float scale) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      float highest = largest[m][half];
#pragma unroll
      for (int n = 0; n < 2 * kBlocks; ++n)
        highest = fmaxf(highest, fmaxf(scores[n][2 * half], scores[n][2 * half + 1]));
      highest = largest_of_row(highest);
      const float shift = __fmul_rn(highest, -scale);
      const float shrink = power_of_two(fmaf(largest[m][half], scale, shift));
      largest[m][half] = highest;
      float sum = 0;
#pragma unroll
      for (int n = 0; n < 2 * kBlocks; ++n)
#pragma unroll
        for (int i = 2 * half; i < 2 * half + 2; ++i) {
          scores[n][i] = power_of_two(fmaf(scores[n][i], scale, shift));
          sum = __fadd_rn(sum, scores[n][i]);
        }
      total[m][half] = fmaf(total[m][half], shrink, sum_of_row(sum));
#pragma unroll
      for (int n = 0; n < kSize / 8; ++n) {
        out[m][n][2 * half] = __fmul_rn(out[m][n][2 * half], shrink);
        out[m][n][2 * half + 1] = __fmul_rn(out[m][n][2 * half + 1], shrink);
      }
    }
  }
};

}  // namespace
}  // namespace textcrs
