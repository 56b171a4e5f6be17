// The benchmarks are linked with LibTorch, so OpenBLAS is loaded, and has chosen its kernels,
// before main().
#pragma once

#include <unistd.h>

#include <cstdlib>

#include "torch/fast_blas.h"

namespace textcrs::bench {

// The first call of main(): starts the program again where OpenBLAS must be told which kernels to
// take.
inline void restart_with_fast_blas(char** argv) {
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  if (std::getenv(kVariable) != nullptr) return;
  choose_fast_blas();
  if (std::getenv(kVariable) != nullptr) execv("/proc/self/exe", argv);  // if it fails: only slower
}

}  // namespace textcrs::bench
