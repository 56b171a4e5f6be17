// Whether a kernel was started at all: what it would have written is memory nobody filled.
#pragma once

#include <cuda_runtime.h>

#include <stdexcept>
#include <string>

namespace textcrs {

inline void check_launch(const char* kernel) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("the GPU did not start ") + kernel + ": " +
                             cudaGetErrorString(error));
}

}  // namespace textcrs
