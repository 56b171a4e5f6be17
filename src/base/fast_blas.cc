#include "textcrs/base/fast_blas.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

extern "C" __attribute__((weak)) char* openblas_get_corename();

namespace textcrs {

std::string better_blas_core(std::string_view detected, bool has_avx2_fma, bool has_avx512) {
  constexpr std::array<std::string_view, 5> kFast = {"Haswell", "Zen", "SkylakeX", "Cooperlake",
                                                     "SapphireRapids"};
  if (std::find(kFast.begin(), kFast.end(), detected) != kFast.end()) return "";
  if (has_avx512) return "SKYLAKEX";
  if (has_avx2_fma) return "HASWELL";
  return "";
}

void restart_with_fast_blas(char** argv) {
#if defined(__x86_64__)
  constexpr const char* kVariable = "OPENBLAS_CORETYPE";
  if (openblas_get_corename == nullptr || std::getenv(kVariable) != nullptr) return;
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
  const std::string core = better_blas_core(openblas_get_corename(), avx2, avx512);
  if (core.empty()) return;
  setenv(kVariable, core.c_str(), 1);
  execv("/proc/self/exe", argv);  // on failure go on, only slower
#else
  (void)argv;
#endif
}

}  // namespace textcrs
