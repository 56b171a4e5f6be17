// Debian's OpenBLAS does not know every CPU and then falls back to kernels from before AVX, a fifth
// of the machine's speed. It reads OPENBLAS_CORETYPE when it is loaded.
#pragma once

#include <string>

namespace textcrs {

// The core name to ask OpenBLAS for on a CPU with these features; empty: it finds the best itself.
std::string blas_core(bool has_avx2_fma, bool has_avx512);

// Before LibTorch, and OpenBLAS with it, is loaded: sets OPENBLAS_CORETYPE for this CPU unless the
// user has.
void choose_fast_blas();

}  // namespace textcrs
