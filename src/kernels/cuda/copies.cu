#include "kernels/cuda/copies.h"
#include "kernels/cuda/launch.h"

namespace textcrs {
namespace {

constexpr int kThreads = 256;

int blocks_for(int64_t items) { return static_cast<int>((items + kThreads - 1) / kThreads); }

// The bin of a copy: the longest first.
__device__ int bin_of(const GpuCopies& copies, int copy, int longest) {
  return longest - min(copies.lengths[copy], longest);
}

// bins[b + 1] grows by the copies of bin b.
__global__ void fill_bins(GpuCopies copies, int longest, int32_t* bins) {
  const int copy = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (copy < copies.count) atomicAdd(&bins[bin_of(copies, copy, longest) + 1], 1);
}

// Sizes become starts. One block: there are few bins.
__global__ void add_bins(int count, int32_t* bins) {
  __shared__ int32_t sums[kThreads];
  const int t = static_cast<int>(threadIdx.x);
  int32_t before = 0;
  for (int begin = 0; begin < count; begin += kThreads) {
    sums[t] = begin + t < count ? bins[begin + t] : 0;
    for (int step = 1; step < kThreads; step *= 2) {
      __syncthreads();
      const int32_t left = t >= step ? sums[t - step] : 0;
      __syncthreads();
      sums[t] += left;
    }
    __syncthreads();
    if (begin + t < count) bins[begin + t] = before + sums[t];
    before += sums[kThreads - 1];
    __syncthreads();
  }
}

__global__ void place_copies(GpuCopies copies, int longest, int32_t* bins, int32_t* order) {
  const int copy = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (copy < copies.count) order[atomicAdd(&bins[bin_of(copies, copy, longest)], 1)] = copy;
}

__global__ void vote(int copies, int classes, const double* scores, const int32_t* text_of,
                     unsigned long long* votes) {
  const int copy = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (copy >= copies) return;
  const double* const mine = scores + static_cast<int64_t>(copy) * classes;
  int best = 0;
  double nothing = mine[0] - mine[0];  // NaN if a score is not finite
  for (int c = 1; c < classes; ++c) {
    if (mine[c] > mine[best]) best = c;
    nothing += mine[c] - mine[c];
  }
  if (nothing == 0) atomicAdd(&votes[static_cast<int64_t>(text_of[copy]) * classes + best], 1ULL);
}

}  // namespace

void sort_by_length(const GpuQueue& queue, const GpuCopies& copies, int longest, int32_t* bins,
                    int32_t* order) {
  if (copies.count == 0) return;
  const int count = longest + 2;
  clear_on_gpu(queue, bins, static_cast<size_t>(count) * sizeof(int32_t));
  const int blocks = blocks_for(copies.count);
  fill_bins<<<blocks, kThreads, 0, queue.stream()>>>(copies, longest, bins);
  add_bins<<<1, kThreads, 0, queue.stream()>>>(count, bins);
  place_copies<<<blocks, kThreads, 0, queue.stream()>>>(copies, longest, bins, order);
  check_launch("sort_by_length");
}

void count_votes(const GpuQueue& queue, int copies, int classes, const double* scores,
                 const int32_t* text_of, unsigned long long* votes) {
  if (copies == 0) return;
  vote<<<blocks_for(copies), kThreads, 0, queue.stream()>>>(copies, classes, scores, text_of,
                                                            votes);
  check_launch("count_votes");
}

}  // namespace textcrs
