#include "torch/fast_blas.h"

#include <cstdlib>

namespace textcrs {

std::string blas_core(bool has_avx2_fma, bool has_avx512) {
  if (has_avx512) return "SKYLAKEX";
  return has_avx2_fma ? "HASWELL" : "";
}

void choose_fast_blas() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  const std::string core = blas_core(avx2, avx512);
  if (!core.empty()) setenv("OPENBLAS_CORETYPE", core.c_str(), /*overwrite=*/0);
#endif
}

}  // namespace textcrs
