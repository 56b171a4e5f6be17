#include <cuda_bf16.h>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/slot_map.h"

namespace textcrs {
namespace {

constexpr int kThreads = 256;

unsigned blocks_for(int64_t count) {
  return static_cast<unsigned>((count + kThreads - 1) / kThreads);
}

__device__ int64_t my_number() {
  return static_cast<int64_t>(blockIdx.x) * kThreads + static_cast<int64_t>(threadIdx.x);
}

__global__ void relu_each(float* numbers, int64_t count) {
  const int64_t i = my_number();
  if (i < count) numbers[i] = fmaxf(numbers[i], 0);
}

__global__ void round_each(GpuRounding call) {
  const int64_t i = my_number();
  if (i >= call.count) return;
  const float number = call.relu ? fmaxf(call.from[i], 0) : call.from[i];
  call.to[i] = __bfloat16_as_ushort(__float2bfloat16_rn(number));
}

}  // namespace

void relu_numbers(const GpuQueue& queue, float* numbers, int64_t count) {
  if (count == 0) return;
  relu_each<<<blocks_for(count), kThreads, 0, queue.stream()>>>(numbers, count);
  check_launch("relu_numbers");
}

void round_numbers(const GpuQueue& queue, const GpuRounding& call) {
  if (call.count == 0) return;
  round_each<<<blocks_for(call.count), kThreads, 0, queue.stream()>>>(call);
  check_launch("round_numbers");
}

}  // namespace textcrs
