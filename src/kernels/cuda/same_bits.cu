#include "kernels/cuda/launch.h"
#include "kernels/cuda/same_bits.h"

namespace textcrs {
namespace {

__global__ void compare(const uint32_t* at, size_t count, const uint32_t* expected, size_t step,
                        int* differs) {
  const size_t threads = static_cast<size_t>(gridDim.x) * blockDim.x;
  for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count;
       i += threads)
    if (at[i] != expected[i % step]) *differs = 1;
}

}  // namespace

bool repeats_on_gpu(const GpuQueue& queue, const void* at, size_t bytes, const void* expected,
                    size_t step) {
  GpuArray<int> differs;
  differs.reserve(1, "a comparison");
  clear_on_gpu(queue, differs.data(), sizeof(int));
  compare<<<1024, 256, 0, queue.stream()>>>(
      static_cast<const uint32_t*>(at), bytes / sizeof(uint32_t),
      static_cast<const uint32_t*>(expected), step / sizeof(uint32_t), differs.data());
  check_launch("compare");
  return differs.download(queue, 1)[0] == 0;
}

}  // namespace textcrs
