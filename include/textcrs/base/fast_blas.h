// Debian's OpenBLAS does not know every CPU and then falls back to kernels from before AVX, a fifth
// of the machine's speed. It reads OPENBLAS_CORETYPE when it is loaded, so the remedy is to set
// that and start the program again.
#pragma once

#include <string>
#include <string_view>

namespace textcrs {

// The core name to ask OpenBLAS for on a CPU with these features, empty if `detected` (what
// OpenBLAS chose by itself) is as good.
std::string better_blas_core(std::string_view detected, bool has_avx2_fma, bool has_avx512);

// First thing in main(): if OpenBLAS chose slow kernels and the user did not choose any, replaces
// this process by itself with OPENBLAS_CORETYPE set. Otherwise returns, also when the BLAS is
// another.
void restart_with_fast_blas(char** argv);

}  // namespace textcrs
