// An LSTM whose recurrent weights stay in shared memory: a block per multiprocessor takes one
// direction for the whole run and tiles of 64 copies, one after the other.
//
// Four groups of four warps share a tile. Each has a quarter of the units: it multiplies the states
// of all 64 copies with the weights of its units (wgmma, with the row of the word as the
// first summand), some of them at a time, so that cells, maxima and sums stay in registers. While
// one group activates, the tensor cores work for another.
#include <algorithm>
#include <stdexcept>

#include "kernels/bf16.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/lstm_cell.h"
#include "kernels/cuda/lstm_resident.h"

namespace textcrs {
namespace {

constexpr int kWarpGroups = 4, kThreads = 128 * kWarpGroups;
constexpr int kTile = 64;

// Matrices in shared memory are made of bricks of 8 rows of 8 numbers, 128 bytes: first all bricks
// of the first 8 columns, then those of the next.
__host__ __device__ constexpr int brick_place(int rows, int row, int column) {
  return column / 8 * rows * 8 + row * 8 + column % 8;
}

// How wgmma finds such a matrix, from a brick on.
__device__ uint64_t matrix_at(const __nv_bfloat16* brick, int rows) {
  const auto at = static_cast<uint64_t>(__cvta_generic_to_shared(brick));
  const uint64_t to_next_columns = static_cast<uint64_t>(rows) * 16 / 16, to_next_rows = 128 / 16;
  return (at & 0x3ffff) >> 4 | to_next_columns << 16 | to_next_rows << 32;
}

#define SUMS_4(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SUMS_16(d, i) SUMS_4(d, i), SUMS_4(d, i + 4), SUMS_4(d, i + 8), SUMS_4(d, i + 12)

// sums (64 copies, 32 kCount gates) += states (64, 16) weights (16, 32 kCount).
template <int kCount>
__device__ void multiply_add(float* d, uint64_t states, uint64_t weights) {
  static_assert(kCount == 1 || kCount == 2);
  if constexpr (kCount == 1)
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n32k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,"
        "%11,%12,%13,%14,%15}, %16, %17, 1, 1, 1, 0, 0;"
        : SUMS_16(d, 0)
        : "l"(states), "l"(weights));
  else
    asm volatile(
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,"
        "%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}, "
        "%32, %33, 1, 1, 1, 0, 0;"
        : SUMS_16(d, 0), SUMS_16(d, 16)
        : "l"(states), "l"(weights));
}

#undef SUMS_4
#undef SUMS_16

// Neither side of the products moves past their beginning and end.
template <int kCount>
__device__ void hold(float (&gates)[kCount][16]) {
#pragma unroll
  for (int q = 0; q < kCount; ++q)
#pragma unroll
    for (int i = 0; i < 16; ++i) asm volatile("" : "+f"(gates[q][i])::"memory");
}
__device__ void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void end_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
// What threads wrote to shared memory is seen by the tensor cores.
__device__ void publish_states() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// kOctets: how many times 8 units each of the four groups has.
template <int kOctets>
struct Shared {
  static constexpr int kUnits = 8 * kWarpGroups * kOctets, kGates = 4 * kUnits;
  static constexpr int kScores = kTile * kWarpGroups;  // of a class, before they are added up

  alignas(128) __nv_bfloat16 weights[kGates * kUnits];
  union {
    alignas(128) __nv_bfloat16 states[kTile * kUnits];
    float scores[kTile * kUnits / 2];
  };
  int tile;
};

template <int kOctets>
class Tile {
 public:
  using Memory = Shared<kOctets>;
  static constexpr int kUnits = Memory::kUnits, kGates = Memory::kGates;

  __device__ Tile(const GpuLstm& lstm, const GpuLstmRun& run, Memory& memory, int direction,
                  int first)
      : lstm_(lstm),
        run_(run),
        memory_(memory),
        direction_(direction),
        first_(first),
        copies_{CopyReader(run, first + row(0), direction == 1),
                CopyReader(run, first + row(1), direction == 1)},
        rows_(run.rows[direction] + group() * kOctets * 32 + lane() % 4 * 4) {
#pragma unroll
    for (int q = 0; q < kOctets; ++q)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        cells_[q][2 * half] = cells_[q][2 * half + 1] = 0;
        best_[q][half] = no_maximum();
      }
  }

  // The states are zero.
  __device__ void run(int steps) {
    uint32_t next[2] = {copies_[0].row(0), copies_[1].row(0)};
    for (int step = 0; step < steps; ++step) {
      const float* const rows[2] = {rows_ + int64_t{next[0]} * kGates,
                                    rows_ + int64_t{next[1]} * kGates};
      next[0] = copies_[0].row(step + 1);
      next[1] = copies_[1].row(step + 1);
      __nv_bfloat162 fresh[kOctets][2];
      parts<0>(step, rows, fresh);
      __syncthreads();  // all groups have read the states
#pragma unroll
      for (int q = 0; q < kOctets; ++q)
#pragma unroll
        for (int half = 0; half < 2; ++half)
          *reinterpret_cast<__nv_bfloat162*>(
              memory_.states + brick_place(kTile, row(half), first_unit(q))) = fresh[q][half];
      publish_states();
    }
    __syncthreads();
  }

  // What this direction adds to the scores of the tile's copies. The states are gone.
  __device__ void write_scores() {
    constexpr int kAtATime = kTile * kUnits / 2 / Memory::kScores;
    for (int begin = 0; begin < lstm_.classes; begin += kAtATime) {
      const int count = min(kAtATime, lstm_.classes - begin);
      for (int c = 0; c < count; ++c) {
        const float* const head = lstm_.head[direction_] + (begin + c) * kUnits;
        float sums[2] = {0, 0};
#pragma unroll
        for (int q = 0; q < kOctets; ++q) {
          const float2 weights = *reinterpret_cast<const float2*>(head + first_unit(q));
#pragma unroll
          for (int half = 0; half < 2; ++half)
            sums[half] = add_products(weights, best_[q][half], sums[half]);
        }
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const float sum = sum_of_lanes(sums[half]);
          if (lane() % 4 == 0)
            memory_.scores[c * Memory::kScores + group() * kTile + row(half)] = sum;
        }
      }
      __syncthreads();
      add_groups(begin, count);
      __syncthreads();
    }
  }

 private:
  static constexpr int kOctetsAtATime = 2;  // more of them would not stay in registers

  __device__ static int group() { return static_cast<int>(threadIdx.x) / 128; }
  __device__ static int lane() { return static_cast<int>(threadIdx.x) % 32; }
  // Of the tile, that of the lane's copies.
  __device__ static int row(int half) {
    return static_cast<int>(threadIdx.x) % 128 / 32 * 16 + lane() / 4 + 8 * half;
  }
  // The first of the lane's two units of an octet.
  __device__ static int first_unit(int q) { return (group() * kOctets + q) * 8 + lane() % 4 * 2; }

  // The octets from kBegin on, some at a time.
  template <int kBegin>
  __device__ void parts(int step, const float* const (&rows)[2], __nv_bfloat162 (*fresh)[2]) {
    constexpr int kCount = kOctets - kBegin < kOctetsAtATime ? kOctets - kBegin : kOctetsAtATime;
    part<kBegin, kCount>(step, rows, fresh);
    if constexpr (kBegin + kCount < kOctets) parts<kBegin + kCount>(step, rows, fresh);
  }

  template <int kBegin, int kCount>
  __device__ void part(int step, const float* const (&rows)[2], __nv_bfloat162 (*fresh)[2]) {
    float gates[kCount][16];
#pragma unroll
    for (int q = 0; q < kCount; ++q)
#pragma unroll
      for (int half = 0; half < 2; ++half) read_row(rows[half] + (kBegin + q) * 32, half, gates[q]);
    if (kBegin == 0) __syncthreads();  // the states of the step before are there
    hold(gates);
    begin_products();
    uint64_t states = matrix_at(memory_.states, kTile);
    uint64_t weights = matrix_at(
        memory_.weights + brick_place(kGates, (group() * kOctets + kBegin) * 32, 0), kGates);
    // To be added up where they are used: held in registers over all steps, they would spill.
    asm volatile("" : "+l"(states), "+l"(weights));
#pragma unroll
    for (int k = 0; k < kUnits; k += 16) {
      multiply_add<kCount>(gates[0], states, weights);
      states += brick_place(kTile, 0, 16) * sizeof(__nv_bfloat16) / 16;
      weights += brick_place(kGates, 0, 16) * sizeof(__nv_bfloat16) / 16;
    }
    end_products();
    hold(gates);
#pragma unroll
    for (int q = 0; q < kCount; ++q)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        fresh[kBegin + q][half] = activate(gates[q], half, copies_[half].has(step),
                                           cells_[kBegin + q], best_[kBegin + q][half]);
  }

  // In the order of the groups.
  __device__ void add_groups(int begin, int count) {
    for (int i = static_cast<int>(threadIdx.x); i < count * kTile; i += kThreads) {
      const int c = i / kTile, place = i % kTile;
      float sum = 0;
      for (int g = 0; g < kWarpGroups; ++g)
        sum += memory_.scores[c * Memory::kScores + g * kTile + place];
      const int at = first_ + place;
      if (at < run_.copies.count)
        run_.scores[(static_cast<int64_t>(direction_) * run_.copies.count + run_.order[at]) *
                        lstm_.classes +
                    begin + c] = sum;
    }
  }

  const GpuLstm& lstm_;
  const GpuLstmRun& run_;
  Memory& memory_;
  int direction_, first_;
  CopyReader copies_[2];
  const float* rows_;  // from the lane's first pair of units on
  float cells_[kOctets][4];
  __half2 best_[kOctets][2];
};

template <int kOctets>
__global__ void __launch_bounds__(kThreads, 1)
    resident_lstm(const __grid_constant__ GpuLstm lstm, const __grid_constant__ GpuLstmRun run,
                  int* next) {
  using Memory = Shared<kOctets>;
  extern __shared__ __align__(128) unsigned char bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  const int direction = static_cast<int>(blockIdx.x) % 2, thread = static_cast<int>(threadIdx.x);
  constexpr int kVectors = static_cast<int>(sizeof(memory.weights) / sizeof(uint4));
  for (int i = thread; i < kVectors; i += kThreads)
    reinterpret_cast<uint4*>(memory.weights)[i] =
        reinterpret_cast<const uint4*>(lstm.weights[direction])[i];
  for (;;) {
    if (thread == 0) memory.tile = atomicAdd(&next[direction], 1);
    for (int i = thread; i < kTile * Memory::kUnits / 2; i += kThreads)
      memory.scores[i] = 0;  // the states
    publish_states();
    __syncthreads();
    const int first = memory.tile * kTile;
    if (first >= run.copies.count) return;
    const int longest = max(1, min(run.copies.lengths[run.order[first]], run.slots));
    Tile<kOctets> tile(lstm, run, memory, direction, first);
    tile.run(longest);
    tile.write_scores();
  }
}

// The kernel for so many units.
struct Size {
  int units;
  size_t shared_bytes;
  void (*kernel)(GpuLstm, GpuLstmRun, int*);
};
template <int kOctets>
Size size_of() {
  using Memory = Shared<kOctets>;
  return {Memory::kUnits, sizeof(Memory), resident_lstm<kOctets>};
}

// The smallest that has them.
Size size_for(int units) {
  const Size sizes[] = {size_of<2>(), size_of<3>(), size_of<4>(), size_of<5>()};
  for (const Size& size : sizes)
    if (units <= size.units) return size;
  throw std::logic_error("resident_lstm: more units than fit");
}

}  // namespace

int resident_lstm_units(int units) { return size_for(units).units; }

size_t resident_lstm_shared_bytes(int units) { return size_for(units).shared_bytes; }

// Row r of the matrix is gate r / 8 % 4 of unit r / 32 * 8 + r % 8.
std::vector<GpuBf16> pack_resident_weights(int units, std::span<const float> weight_hh) {
  const int padded = padded_units(GpuLstmKernel::kResident, units), rows = 4 * padded;
  std::vector<GpuBf16> packed(static_cast<size_t>(rows) * static_cast<size_t>(padded));
  for (int row = 0; row < rows; ++row) {
    const int gate = row / 8 % 4, unit = row / 32 * 8 + row % 8;
    for (int column = 0; unit < units && column < units; ++column)
      packed[static_cast<size_t>(brick_place(rows, row, column))] =
          to_bf16(gate_scale(gate) *
                  weight_hh[static_cast<size_t>(gate * units + unit) * static_cast<size_t>(units) +
                            static_cast<size_t>(column)]);
  }
  return packed;
}

void run_resident_lstm(const GpuQueue& queue, const GpuProperties& card, const GpuLstm& lstm,
                       const GpuLstmRun& run, int* next) {
  clear_on_gpu(queue, next, 2 * sizeof(int));
  const int tiles = (run.copies.count + kTile - 1) / kTile;
  const int blocks = 2 * std::min(tiles, std::max(1, card.multiprocessors / 2));
  const Size size = size_for(lstm.units);
  allow_shared_memory(size.kernel, size.shared_bytes);
  size.kernel<<<blocks, kThreads, size.shared_bytes, queue.stream()>>>(lstm, run, next);
  check_launch("resident_lstm");
}

}  // namespace textcrs
