// What CUDA says no to, as errors. For .cu files.
#pragma once

#include <cuda_runtime.h>

#include <string>

#include "textcrs/base/error.h"

namespace textcrs {

// `task`: what the card did not do.
inline void check_gpu(cudaError_t error, const char* task) {
  if (error == cudaSuccess) return;
  cudaGetLastError();  // this one is told; it must not be taken for the next call's
  throw failed(std::string("the GPU did not ") + task + ": " + cudaGetErrorString(error));
}

inline Error out_of_gpu_memory(size_t bytes, const char* what) {
  size_t free = 0, total = 0;
  cudaMemGetInfo(&free, &total);
  const auto megabytes = [](size_t n) { return std::to_string((n + 999999) / 1000000) + " MB"; };
  return failed("the GPU has no memory left for " + std::string(what) + ": found " +
                megabytes(free) + " free, expected " + megabytes(bytes));
}

// Whether a kernel was started at all: what it would have written is memory nobody filled.
inline void check_launch(const char* kernel) {
  check_gpu(cudaGetLastError(), (std::string("start ") + kernel).c_str());
}

// A block gets more than 48 KB of shared memory only if it is asked for. All there is, whatever
// this launch needs: the kernel may be started by another thread, too.
template <typename Kernel>
void allow_shared_memory(Kernel* kernel, size_t bytes) {
  int device = 0, most = 0;
  cudaFuncAttributes fixed{};
  check_gpu(cudaGetDevice(&device), "find a card");
  check_gpu(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
            "describe itself");
  check_gpu(cudaFuncGetAttributes(&fixed, kernel), "describe a kernel");
  most -= static_cast<int>(fixed.sharedSizeBytes);
  if (bytes > static_cast<size_t>(most))
    throw failed("a block of the GPU has " + std::to_string(most) +
                 " bytes of shared memory, expected " + std::to_string(bytes));
  check_gpu(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most),
            "give a block its memory");
}

// Blocks of a kernel that the current card runs at a time.
template <typename Kernel>
int resident_blocks(Kernel* kernel, int threads, size_t shared_bytes) {
  int device = 0, multiprocessors = 0, blocks = 0;
  check_gpu(cudaGetDevice(&device), "find a card");
  check_gpu(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
            "describe itself");
  check_gpu(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes),
            "describe itself");
  return multiprocessors * blocks;
}

}  // namespace textcrs
