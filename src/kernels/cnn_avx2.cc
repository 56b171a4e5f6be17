// Compiled for AVX2 and FMA.
#include <immintrin.h>

#include "kernels/cnn_windows.h"

namespace textcrs {
namespace {

struct Avx2 {
  using F = __m256;
  static constexpr int kLanes = 8, kRows = 4, kColumns = 3;

  static F load(const float* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, F x) { _mm256_storeu_ps(to, x); }
  static F set1(float x) { return _mm256_set1_ps(x); }
  static F add(F a, F b) { return _mm256_add_ps(a, b); }
  static F fma(F a, F b, F c) { return _mm256_fmadd_ps(a, b, c); }
  static F max(F a, F b) { return _mm256_max_ps(a, b); }
};

}  // namespace

const CnnKernel& cnn_avx2() {
  static constexpr CnnKernel kernel = {Avx2::kLanes, Avx2::kColumns,
                                       CnnWindows<Avx2>::scratch_bytes, CnnWindows<Avx2>::run,
                                       CnnWindows<Avx2>::make_row};
  return kernel;
}

}  // namespace textcrs
