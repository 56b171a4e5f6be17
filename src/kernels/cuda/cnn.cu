// A block per copy, a thread per filter: the sums of the windows that are open stay in registers,
// and every number of a word's row is read once.
#include <algorithm>
#include <cmath>

#include "kernels/cuda/cnn.h"
#include "kernels/cuda/launch.h"

namespace textcrs {
namespace {

constexpr int kWidths = 3, kFilters = 256;  // filters of a width: at a time, at most
constexpr int kWordsAtATime = 128;

// The words of a copy, some at a time in shared memory.
class SlotRows {
 public:
  __device__ SlotRows(const GpuCnn& cnn, const GpuCnnRun& run, int copy, int64_t* shared)
      : run_(run), copy_(copy), row_size_(cnn.row_size), shared_(shared) {}

  // Those from `begin` on; all threads of the block.
  __device__ void fetch(int begin, int count) {
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x))
      shared_[i] = row(begin + i) * row_size_;
    __syncthreads();
  }
  __device__ const float* at(int i) const { return run_.rows + shared_[i]; }

 private:
  __device__ int64_t row(int slot) const {
    if (run_.row_per_slot) return static_cast<int64_t>(copy_) * run_.slots + slot;
    if (run_.copies.lengths[copy_] == 0) return 0;  // PAD
    return run_.copies
        .words[run_.copies.starts[copy_] + static_cast<int64_t>(slot) * run_.copies.stride];
  }

  const GpuCnnRun& run_;
  int copy_, row_size_;
  int64_t* shared_;
};

// The windows of kWidth words that are open, by how many words they have so far, and the largest
// response among those complete.
template <int kWidth>
struct Windows {
  float sums[kWidth - 1], best = -INFINITY;

  __device__ Windows() {
#pragma unroll
    for (float& sum : sums) sum = -INFINITY;
  }
  // `row` is at the filter's number for the first offset.
  __device__ void take(const float* row, int filters) {
    best = fmaxf(best, sums[kWidth - 2] + row[(kWidth - 1) * filters]);
#pragma unroll
    for (int o = kWidth - 2; o > 0; --o) sums[o] = sums[o - 1] + row[o * filters];
    sums[0] = row[0];
  }
  // A copy of fewer words has the one window that began with it.
  __device__ void end(int length) {
#pragma unroll
    for (int o = 0; o < kWidth - 1; ++o)
      if (length == o + 1) best = sums[o];
  }
};

// The largest response of each width's filters; a thread has a filter of one width.
class Responses {
 public:
  __device__ Responses(int width, const GpuCnn& cnn, int filter)
      : width_(width), filters_(cnn.filters) {
    const int offsets_before = width == 0 ? 0 : width == 1 ? 3 : 7;
    at_ = offsets_before * cnn.filters + min(filter, cnn.filters - 1);
  }

  __device__ void take(const SlotRows& rows, int count) {
    if (width_ == 0)
      take(three_, rows, count);
    else if (width_ == 1)
      take(four_, rows, count);
    else
      take(five_, rows, count);
  }
  __device__ float largest(int length) {
    three_.end(length);
    four_.end(length);
    five_.end(length);
    return width_ == 0 ? three_.best : width_ == 1 ? four_.best : five_.best;
  }

 private:
  template <int kWidth>
  __device__ void take(Windows<kWidth>& windows, const SlotRows& rows, int count) const {
#pragma unroll 4
    for (int i = 0; i < count; ++i) windows.take(rows.at(i) + at_, filters_);
  }

  int width_, filters_, at_;
  Windows<3> three_;
  Windows<4> four_;
  Windows<5> five_;
};

// The sum over the block, in one fixed order; for the first thread.
__device__ float sum_of_block(float x, float* shared) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
  __syncthreads();
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = x;
  __syncthreads();
  float sum = 0;
  for (int w = 0; w < static_cast<int>(blockDim.x) / 32; ++w) sum += shared[w];
  return sum;
}

// The threads of a block: as many for each width, whole warps.
__global__ void __launch_bounds__(kWidths* kFilters)
    cnn_copies(const __grid_constant__ GpuCnn cnn, const __grid_constant__ GpuCnnRun run) {
  __shared__ int64_t shared_rows[kWordsAtATime];
  __shared__ float sums[32];
  const int copy = static_cast<int>(blockIdx.x);
  const int length = max(1, min(run.copies.lengths[copy], run.slots));
  const int threads = static_cast<int>(blockDim.x) / kWidths;
  const int width = static_cast<int>(threadIdx.x) / threads;
  SlotRows rows(cnn, run, copy, shared_rows);
  for (int c = 0; c < cnn.classes && threadIdx.x == 0; ++c)
    run.scores[static_cast<int64_t>(copy) * cnn.classes + c] = cnn.head_bias[c];
  for (int first = 0; first < cnn.filters; first += threads) {
    const int filter = first + static_cast<int>(threadIdx.x) % threads;
    Responses responses(width, cnn, filter);
    for (int begin = 0; begin < length; begin += kWordsAtATime) {
      const int count = min(kWordsAtATime, length - begin);
      rows.fetch(begin, count);
      responses.take(rows, count);
    }
    const bool is_real = filter < cnn.filters;
    const int at = width * cnn.filters + (is_real ? filter : 0);
    const float feature = fmaxf(0.0f, responses.largest(length) + cnn.biases[at]);
    for (int c = 0; c < cnn.classes; ++c) {
      const float part =
          is_real ? feature * cnn.head[static_cast<int64_t>(c) * kWidths * cnn.filters + at] : 0;
      const float sum = sum_of_block(part, sums);
      if (threadIdx.x == 0) run.scores[static_cast<int64_t>(copy) * cnn.classes + c] += sum;
    }
  }
}

}  // namespace

void run_cnn(const GpuQueue& queue, const GpuCnn& cnn, const GpuCnnRun& run) {
  if (run.copies.count == 0) return;
  const int threads = kWidths * std::min(kFilters, (cnn.filters + 31) / 32 * 32);
  cnn_copies<<<run.copies.count, threads, 0, queue.stream()>>>(cnn, run);
  check_launch("cnn_copies");
}

}  // namespace textcrs
