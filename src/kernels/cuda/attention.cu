// Attention over short sequences: a warp for 16 or 32 queries of a head, up to 64 keys at a time in
// shared memory, scores and outputs in registers (tensor cores, bf16 into fp32). Every rounding is
// written out, so that a sequence has the same bits in all kernels that it fits.
#include <algorithm>
#include <stdexcept>

#include "kernels/cuda/attention_tiles.h"
#include "kernels/cuda/bert.h"
#include "kernels/cuda/launch.h"

namespace textcrs {
namespace {

constexpr int kMostKeys = 64;  // at a time

// A head of a sequence.
struct Unit {
  int start, length;  // of the keys
  int64_t query;      // the first
  int queries;
  int column;  // of the head

  __device__ Unit(const GpuAttention& call, int sequence, int head, int size)
      : start(call.starts[sequence]),
        length(call.starts[sequence + 1] - start),
        query(call.first_only ? sequence : start),
        queries(call.first_only ? 1 : length),
        column(head * size) {}
};

template <int kSize, int kRows>
struct WholeHead {
  HeadTile<kSize, kRows> queries, keys, values;
};

// Sequences of at most 16 kWarps keys. A block takes heads in turns, and loads the next while it
// computes one.
template <int kSize, int kWarps>
__global__ void __launch_bounds__(32 * kWarps) short_attention(GpuAttention call, float scale) {
  using Stage = WholeHead<kSize, 16 * kWarps>;
  extern __shared__ __align__(16) char memory[];
  auto* const stages = reinterpret_cast<Stage*>(memory);  // 2
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int first = static_cast<int>(threadIdx.x) / 32 * 16;  // query of the warp
  const int units = call.sequences * call.heads;
  const int64_t output_stride = static_cast<int64_t>(call.heads) * kSize;
  const auto unit_at = [&](int u) { return Unit(call, u / call.heads, u % call.heads, kSize); };
  const auto begin_load = [&](const Unit& unit, Stage& stage) {
    stage.queries.begin_load(call.queries + unit.query * call.query_stride + unit.column,
                             call.query_stride, unit.queries);
    const int64_t at = unit.start * call.key_stride + unit.column;
    stage.keys.begin_load(call.keys + at, call.key_stride, unit.length);
    stage.values.begin_load(call.values + at, call.key_stride, unit.length);
    end_of_copies();
  };
  int u = static_cast<int>(blockIdx.x);
  Unit unit = unit_at(u);
  begin_load(unit, stages[0]);
  for (int now = 0;; now = 1 - now) {
    const int next = u + static_cast<int>(gridDim.x);
    Unit then = unit;
    if (next < units) {
      then = unit_at(next);
      begin_load(then, stages[1 - now]);
      wait_for_copies<1>();
    } else {
      wait_for_copies<0>();
    }
    __syncthreads();
    const Stage& stage = stages[now];
    if (first < unit.queries) {
      Queries<kSize, 1> some;
      some.load(stage.queries, first, lane);
      some.read(stage.keys, stage.values, unit.length, scale, lane);
      some.store(call.output + (unit.query + first) * output_stride + unit.column, output_stride,
                 unit.queries - first, lane);
    }
    if (next >= units) return;
    __syncthreads();  // before the stage is filled again
    u = next;
    unit = then;
  }
}

template <int kSize>
struct KeyTiles {
  HeadTile<kSize, kMostKeys> keys, values;
};

// Sequences of any length. A block for 128 queries of a head, a warp for 32 of them; it loads 64
// keys while it computes those before.
constexpr int kLongWarps = 4, kLongQueries = 32 * kLongWarps;

template <int kSize>
__global__ void __launch_bounds__(32 * kLongWarps) long_attention(GpuAttention call, float scale) {
  extern __shared__ __align__(16) char memory[];
  auto* const stages = reinterpret_cast<KeyTiles<kSize>*>(memory);  // 2
  auto& tile = *reinterpret_cast<HeadTile<kSize, kLongQueries>*>(stages + 2);
  const Unit unit(call, static_cast<int>(blockIdx.y), static_cast<int>(blockIdx.x), kSize);
  const int begin = static_cast<int>(blockIdx.z) * kLongQueries;
  if (begin >= unit.queries) return;
  const auto load_keys = [&](int from, KeyTiles<kSize>& stage) {
    const int64_t at = (unit.start + from) * call.key_stride + unit.column;
    const int count = min(kMostKeys, unit.length - from);
    stage.keys.begin_load(call.keys + at, call.key_stride, count);
    stage.values.begin_load(call.values + at, call.key_stride, count);
    end_of_copies();
  };
  tile.begin_load(call.queries + (unit.query + begin) * call.query_stride + unit.column,
                  call.query_stride, min(kLongQueries, unit.queries - begin));
  load_keys(0, stages[0]);

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int first = static_cast<int>(threadIdx.x) / 32 * 32;  // query of the warp, in the block
  const int count = unit.queries - begin - first;             // none if it is not above 0
  Queries<kSize, 2> some;
  for (int from = 0, now = 0; from < unit.length; from += kMostKeys, now = 1 - now) {
    if (from + kMostKeys < unit.length) {
      load_keys(from + kMostKeys, stages[1 - now]);
      wait_for_copies<1>();
    } else {
      wait_for_copies<0>();
    }
    __syncthreads();
    if (count > 0) {
      if (from == 0) some.load(tile, first, lane);
      some.read(stages[now].keys, stages[now].values, min(kMostKeys, unit.length - from), scale,
                lane);
    }
    __syncthreads();  // before the stage is filled again
  }
  const int64_t stride = static_cast<int64_t>(call.heads) * kSize;
  if (count > 0)
    some.store(call.output + (unit.query + begin + first) * stride + unit.column, stride, count,
               lane);
}

constexpr float kLog2E = 1.44269504f;

template <int kSize, int kWarps>
void launch_short(const GpuQueue& queue, const GpuAttention& call) {
  constexpr size_t kBytes = 2 * sizeof(WholeHead<kSize, 16 * kWarps>);
  static const int most = [] {
    allow_shared_memory(short_attention<kSize, kWarps>, kBytes);
    return resident_blocks(short_attention<kSize, kWarps>, 32 * kWarps, kBytes);
  }();
  const int blocks = std::min(most, call.sequences * call.heads);
  short_attention<kSize, kWarps>
      <<<blocks, 32 * kWarps, kBytes, queue.stream()>>>(call, kLog2E * call.scale);
}

template <int kSize>
void launch_long(const GpuQueue& queue, const GpuAttention& call) {
  const int queries = call.first_only ? 1 : call.longest;
  const dim3 grid(static_cast<unsigned>(call.heads), static_cast<unsigned>(call.sequences),
                  static_cast<unsigned>((queries + kLongQueries - 1) / kLongQueries));
  constexpr size_t kBytes = 2 * sizeof(KeyTiles<kSize>) + sizeof(HeadTile<kSize, kLongQueries>);
  allow_shared_memory(long_attention<kSize>, kBytes);
  long_attention<kSize>
      <<<grid, 32 * kLongWarps, kBytes, queue.stream()>>>(call, kLog2E * call.scale);
}

template <int kSize>
void launch_for_length(const GpuQueue& queue, const GpuAttention& call) {
  if (call.longest <= 16) return launch_short<kSize, 1>(queue, call);
  if (call.longest <= 32) return launch_short<kSize, 2>(queue, call);
  if (call.longest <= kMostKeys) return launch_short<kSize, 4>(queue, call);
  launch_long<kSize>(queue, call);
}

}  // namespace

void run_on_gpu(const GpuQueue& queue, const GpuAttention& call) {
  if (call.sequences == 0) return;
  if (call.head_size == 32)
    launch_for_length<32>(queue, call);
  else if (call.head_size == 64)
    launch_for_length<64>(queue, call);
  else
    throw std::logic_error("GpuAttention: heads of another size");
  check_launch("attention");
}

}  // namespace textcrs
