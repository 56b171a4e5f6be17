#include "kernels/cuda/launch.h"
#include "kernels/cuda/norm_row.h"
#include "kernels/cuda/pieces.h"
#include "kernels/philox.h"

namespace textcrs {
namespace {

constexpr int kWarps = 4, kThreads = 32 * kWarps;
constexpr int32_t kPadWord = 0, kCls = 0, kSep = 1;

unsigned blocks_for(int warps) { return static_cast<unsigned>((warps + kWarps - 1) / kWarps); }

__device__ int my_warp() {
  return static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32;
}

struct PieceRange {
  int32_t first, count;
};

// Of a word of a copy.
__device__ PieceRange pieces_of(const GpuWordPieces& words, int copy, int32_t word) {
  if (word >= words.words) word += words.own_first[words.text_of[copy]];
  const int32_t first = words.starts[word];
  return {first, words.starts[word + 1] - first};
}

// The sum over this lane and those before it.
__device__ int sum_up_to_lane(int x, int lane) {
  for (int step = 1; step < 32; step *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, x, step);
    if (lane >= step) x += before;
  }
  return x;
}

// Calls place(row, range) for each word of the copy that is read, with the first of its rows, by
// one lane of the warp. Returns the copy's rows.
template <typename Place>
__device__ int walk(const GpuSequences& call, int copy, Place place) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int length = min(call.copies.lengths[copy], call.slots);
  const int32_t* const words = call.copies.words + call.copies.starts[copy];
  int rows = 1;
  for (int begin = 0; begin < length; begin += 32) {
    const int s = begin + lane;
    PieceRange range = {0, 0};
    if (s < length) {
      const int32_t word = words[static_cast<int64_t>(s) * call.copies.stride];
      if (!call.by_slots || word != kPadWord) range = pieces_of(call.words, copy, word);
    }
    const int needed = s >= length ? 0 : call.by_slots ? 1 : range.count;
    const int end = rows + sum_up_to_lane(needed, lane);
    const bool fits = s < length && end < call.positions;
    if (fits) place(end - needed, range);
    const unsigned fitting = __ballot_sync(0xffffffffu, fits);
    // The first word that does not fit ends the copy.
    const int taken = __popc(fitting);
    if (taken > 0) rows = __shfl_sync(0xffffffffu, end, taken - 1);
    if (taken < min(32, length - begin)) break;
  }
  return rows + 1;
}

__global__ void count_each(GpuSequences call, int32_t* rows) {
  const int copy = my_warp();
  if (copy >= call.copies.count) return;
  const int found = walk(call, copy, [](int, PieceRange) {});
  if (threadIdx.x % 32 == 0) rows[copy] = found;
}

__global__ void fill_each(GpuSequences call, const int32_t* starts, GpuRow* rows) {
  const int copy = my_warp();
  if (copy >= call.copies.count) return;
  GpuRow* const mine = rows + starts[copy];
  const int found = walk(call, copy, [&](int row, PieceRange range) {
    if (call.by_slots)
      mine[row] = {range.first, range.count, row, copy};
    else
      for (int i = 0; i < range.count; ++i) mine[row + i] = {range.first + i, 1, row + i, copy};
  });
  if (threadIdx.x % 32 == 0) {
    mine[0] = {kCls, 1, 0, copy};
    mine[found - 1] = {kSep, 1, found - 1, copy};
  }
}

template <int kEights>
__global__ void __launch_bounds__(32 * kNormWarps) embed(GpuEmbedding call) {
  const int64_t r = row_of_warp();
  if (r >= call.count) return;
  const int eights = call.width / 8;
  const auto width = static_cast<int64_t>(call.width);
  const GpuRow row = call.rows[r];
  // [CLS] is the first row of its copy and [SEP] the last; both are the pieces of no word.
  const bool is_slot = !(row.count == 1 && row.first <= kSep);
  const bool noisy = call.sigma > 0 && is_slot;
  const GpuStreamKey key = noisy ? call.streams[row.copy] : GpuStreamKey{};
  const PhiloxStream stream(key.seed, key.example, key.sample, key.lane);
  NormRow<kEights> sum = {};
  sum.fill(eights, [&](int at, float(&to)[8]) {
    for (int i = 0; i < row.count; ++i)
      add_eight(call.vectors + call.pieces[row.first + i] * width, at, to);
    if (row.count > 1)
#pragma unroll
      for (float& x : to) x /= static_cast<float>(row.count);
    if (noisy) {
      const int64_t number = (row.position - 1) * width + 8 * at;
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const FourNormals four = four_normals(stream, static_cast<uint64_t>(number / 4 + half));
        to[4 * half] = fmaf(call.sigma, four.x, to[4 * half]);
        to[4 * half + 1] = fmaf(call.sigma, four.y, to[4 * half + 1]);
        to[4 * half + 2] = fmaf(call.sigma, four.z, to[4 * half + 2]);
        to[4 * half + 3] = fmaf(call.sigma, four.w, to[4 * half + 3]);
      }
    }
    if (call.mean != nullptr && is_slot) add_eight(call.mean, at, to);
    add_eight(call.positions + row.position * width, at, to);
  });
  sum.normalize(eights, call.epsilon);
  sum.store(eights, call.gain, call.shift, call.output + r * width);
}

}  // namespace

void count_rows(const GpuQueue& queue, const GpuSequences& sequences, int32_t* rows) {
  if (sequences.copies.count == 0) return;
  count_each<<<blocks_for(sequences.copies.count), kThreads, 0, queue.stream()>>>(sequences, rows);
  check_launch("count_rows");
}

void fill_rows(const GpuQueue& queue, const GpuSequences& sequences, const int32_t* starts,
               GpuRow* rows) {
  if (sequences.copies.count == 0) return;
  fill_each<<<blocks_for(sequences.copies.count), kThreads, 0, queue.stream()>>>(sequences, starts,
                                                                                 rows);
  check_launch("fill_rows");
}

void embed_rows(const GpuQueue& queue, const GpuEmbedding& call) {
  if (call.count == 0) return;
  for_width(call.width, [&](auto eights) {
    embed<eights.value><<<norm_blocks(call.count), 32 * kNormWarps, 0, queue.stream()>>>(call);
  });
  check_launch("embed_rows");
}

}  // namespace textcrs
