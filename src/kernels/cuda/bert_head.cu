// What is done with the first row of each sequence.
#include "kernels/cuda/bert.h"
#include "kernels/cuda/launch.h"

namespace textcrs {
namespace {

constexpr int kThreads = 128, kWarps = kThreads / 32;

__global__ void first_rows(GpuFirstRows call) {
  const int eights = call.width / 8;
  const int64_t at = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  const int64_t sequence = at / eights;
  if (sequence >= call.sequences) return;
  reinterpret_cast<uint4*>(call.to)[at] = reinterpret_cast<const uint4*>(
      call.from)[static_cast<int64_t>(call.starts[sequence]) * eights + at % eights];
}

// A warp per row.
__global__ void tanh_head(GpuTanhHead call) {
  const int row = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32;
  if (row >= call.rows) return;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const float* const features = call.features + static_cast<int64_t>(row) * call.width;
  for (int c = 0; c < call.classes; ++c) {
    const float* const weights = call.weights + static_cast<int64_t>(c) * call.width;
    double sum = 0;
    for (int d = lane; d < call.width; d += 32)
      sum = fma(static_cast<double>(__ldg(weights + d)), static_cast<double>(tanhf(features[d])),
                sum);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (lane == 0)
      call.scores[static_cast<int64_t>(row) * call.classes + c] =
          sum + static_cast<double>(call.bias[c]);
  }
}

}  // namespace

void run_on_gpu(const GpuQueue& queue, const GpuFirstRows& call) {
  if (call.sequences == 0) return;
  const int64_t items = static_cast<int64_t>(call.sequences) * (call.width / 8);
  first_rows<<<static_cast<unsigned>((items + kThreads - 1) / kThreads), kThreads, 0,
               queue.stream()>>>(call);
  check_launch("first_rows");
}

void run_on_gpu(const GpuQueue& queue, const GpuTanhHead& call) {
  if (call.rows == 0) return;
  tanh_head<<<(call.rows + kWarps - 1) / kWarps, kThreads, 0, queue.stream()>>>(call);
  check_launch("tanh_head");
}

}  // namespace textcrs
