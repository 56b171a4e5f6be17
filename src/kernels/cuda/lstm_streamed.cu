// An LSTM whose weights do not fit into shared memory, or on a card without wgmma: a block takes
// tiles of 32 copies of one direction, a warp takes 8 units at a time. Weights come from the L2
// cache in the order in which the tensor cores want them, cells and maxima stay in the block's part
// of the scratch memory.
#include <algorithm>

#include "kernels/bf16.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/lstm_cell.h"
#include "kernels/cuda/lstm_streamed.h"
#include "kernels/cuda/tensor_cores.h"

namespace textcrs {
namespace {

constexpr int kWarps = 8, kThreads = 32 * kWarps;
constexpr int kTile = 32, kHalves = kTile / 16;

__host__ __device__ constexpr int terms_of(int units) { return (units + 15) / 16 * 16; }
// Of a row of states: rows begin in different banks.
__host__ __device__ constexpr int stride_of(int units) { return terms_of(units) + 8; }

size_t shared_bytes(int units) {
  return 2 * size_t{kTile} * static_cast<size_t>(stride_of(units)) * sizeof(GpuBf16) +
         size_t{kWarps} * kTile * sizeof(float);
}

// Of 8 units and 16 copies, what a lane keeps.
struct Kept {
  float cells[4];
  __half2 best[2];
  uint2 unused;  // 32 bytes
};

__global__ void __launch_bounds__(kThreads)
    streamed_lstm(const __grid_constant__ GpuLstm lstm, const __grid_constant__ GpuLstmRun run,
                  Kept* all_kept, int* next) {
  extern __shared__ __align__(16) unsigned char bytes[];
  __shared__ int tile;
  const int terms = terms_of(lstm.units), stride = stride_of(lstm.units);
  auto* states = reinterpret_cast<__nv_bfloat16*>(bytes);
  auto* fresh = states + kTile * stride;
  auto* const scores = reinterpret_cast<float*>(fresh + kTile * stride);
  const int direction = static_cast<int>(blockIdx.x) % 2;
  const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  const int octets = lstm.padded / 8;
  Kept* const kept = all_kept + static_cast<int64_t>(blockIdx.x) * octets * kHalves * 32;
  for (;;) {
    if (threadIdx.x == 0) tile = atomicAdd(&next[direction], 1);
    for (int i = static_cast<int>(threadIdx.x); i < 2 * kTile * stride; i += kThreads)
      reinterpret_cast<__nv_bfloat16*>(bytes)[i] = __float2bfloat16(0.0f);
    __syncthreads();
    const int first = tile * kTile;
    if (first >= run.copies.count) return;
    const int longest = max(1, min(run.copies.lengths[run.order[first]], run.slots));
    const bool reverse = direction == 1;
    CopyReader copies[2 * kHalves] = {{run, first + lane / 4, reverse},
                                      {run, first + lane / 4 + 8, reverse},
                                      {run, first + lane / 4 + 16, reverse},
                                      {run, first + lane / 4 + 24, reverse}};
    for (int step = 0; step < longest; ++step) {
      const float* rows[2 * kHalves];
#pragma unroll
      for (int i = 0; i < 2 * kHalves; ++i)
        rows[i] =
            run.rows[direction] + int64_t{copies[i].row(step)} * (4 * lstm.padded) + lane % 4 * 4;
      for (int octet = warp; octet < octets; octet += kWarps) {
        float gates[kHalves][16];
#pragma unroll
        for (int i = 0; i < 2 * kHalves; ++i) read_row(rows[i] + octet * 32, i % 2, gates[i / 2]);
        const auto* weights = reinterpret_cast<const uint4*>(lstm.weights[direction]) +
                              (static_cast<int64_t>(octet) * (terms / 16) * 32 + lane) * 2;
        for (int k = 0; k < terms; k += 16, weights += 64) {
          const uint4 w = __ldg(weights), v = __ldg(weights + 1);
#pragma unroll
          for (int m = 0; m < kHalves; ++m) {
            uint32_t a[4];
            load_block(a, states + (16 * m + lane % 16) * stride + k + lane / 16 * 8);
            multiply_add(gates[m], a, w.x, w.y);
            multiply_add(gates[m] + 4, a, w.z, w.w);
            multiply_add(gates[m] + 8, a, v.x, v.y);
            multiply_add(gates[m] + 12, a, v.z, v.w);
          }
        }
#pragma unroll
        for (int m = 0; m < kHalves; ++m) {
          Kept& mine = kept[(octet * kHalves + m) * 32 + lane];
          Kept now = {{0, 0, 0, 0}, {no_maximum(), no_maximum()}, {}};
          if (step > 0) now = mine;
#pragma unroll
          for (int half = 0; half < 2; ++half) {
            const __nv_bfloat162 state =
                activate(gates[m], half, copies[2 * m + half].has(step), now.cells, now.best[half]);
            const int unit = octet * 8 + lane % 4 * 2;
            *reinterpret_cast<__nv_bfloat162*>(fresh + (16 * m + lane / 4 + 8 * half) * stride +
                                               unit) = state;
          }
          mine = now;
        }
      }
      __syncthreads();
      __nv_bfloat16* const before = states;
      states = fresh;
      fresh = before;
    }
    for (int c = 0; c < lstm.classes; ++c) {
      const float* const head = lstm.head[direction] + c * lstm.padded;
      float sums[2 * kHalves] = {};
      for (int octet = warp; octet < octets; octet += kWarps) {
        const float2 w = *reinterpret_cast<const float2*>(head + octet * 8 + lane % 4 * 2);
#pragma unroll
        for (int m = 0; m < kHalves; ++m) {
          const Kept& mine = kept[(octet * kHalves + m) * 32 + lane];
          sums[2 * m] = add_products(w, mine.best[0], sums[2 * m]);
          sums[2 * m + 1] = add_products(w, mine.best[1], sums[2 * m + 1]);
        }
      }
#pragma unroll
      for (int i = 0; i < 2 * kHalves; ++i) {
        const float sum = sum_of_lanes(sums[i]);
        if (lane % 4 == 0) scores[warp * kTile + lane / 4 + 8 * i] = sum;
      }
      __syncthreads();
      const int place = static_cast<int>(threadIdx.x);
      if (place < kTile && first + place < run.copies.count) {
        float sum = 0;
        for (int w = 0; w < kWarps; ++w) sum += scores[w * kTile + place];
        run.scores[(static_cast<int64_t>(direction) * run.copies.count + run.order[first + place]) *
                       lstm.classes +
                   c] = sum;
      }
      __syncthreads();
    }
  }
}

int blocks_of(const GpuProperties& card) { return 2 * card.multiprocessors; }

constexpr size_t kCounters = 256;  // bytes in front of what is kept

}  // namespace

size_t streamed_lstm_scratch_bytes(const GpuProperties& card, int padded) {
  return kCounters + static_cast<size_t>(blocks_of(card)) * static_cast<size_t>(padded / 8) *
                         kHalves * 32 * sizeof(Kept);
}

// For 8 units, 16 terms and a lane: the gates one after the other, two pairs of terms each.
std::vector<GpuBf16> pack_streamed_weights(int units, std::span<const float> weight_hh) {
  const int octets = padded_units(GpuLstmKernel::kStreamed, units) / 8, terms = terms_of(units);
  std::vector<GpuBf16> packed;
  packed.reserve(static_cast<size_t>(octets) * 32 * static_cast<size_t>(terms));
  for (int octet = 0; octet < octets; ++octet)
    for (int k = 0; k < terms; k += 16)
      for (int lane = 0; lane < 32; ++lane)
        for (int gate = 0; gate < 4; ++gate)
          for (const int offset : {0, 1, 8, 9}) {
            const int unit = octet * 8 + lane / 4, term = k + lane % 4 * 2 + offset;
            packed.push_back(unit < units && term < units
                                 ? to_bf16(gate_scale(gate) *
                                           weight_hh[static_cast<size_t>(gate * units + unit) *
                                                         static_cast<size_t>(units) +
                                                     static_cast<size_t>(term)])
                                 : GpuBf16{0});
          }
  return packed;
}

void run_streamed_lstm(const GpuQueue& queue, const GpuProperties& card, const GpuLstm& lstm,
                       const GpuLstmRun& run, void* scratch) {
  clear_on_gpu(queue, scratch, kCounters);
  const size_t bytes = shared_bytes(lstm.units);
  allow_shared_memory(streamed_lstm, bytes);
  const int tiles = (run.copies.count + kTile - 1) / kTile;
  const int blocks = 2 * std::min(tiles, blocks_of(card) / 2);
  streamed_lstm<<<blocks, kThreads, bytes, queue.stream()>>>(
      lstm, run, reinterpret_cast<Kept*>(static_cast<char*>(scratch) + kCounters),
      static_cast<int*>(scratch));
  check_launch("streamed_lstm");
}

}  // namespace textcrs
