// The vector of eight floats that the AVX2 kernels share. Internal linkage: see lstm_cells.h.
#pragma once

#include <immintrin.h>

namespace textcrs {
namespace {

struct Avx2 {
  using F = __m256;
  static constexpr int kLanes = 8;

  static F load(const float* from) { return _mm256_loadu_ps(from); }
  static void store(float* to, F x) { _mm256_storeu_ps(to, x); }
  static F set1(float x) { return _mm256_set1_ps(x); }
  static F add(F a, F b) { return _mm256_add_ps(a, b); }
  static F sub(F a, F b) { return _mm256_sub_ps(a, b); }
  static F mul(F a, F b) { return _mm256_mul_ps(a, b); }
  static F fma(F a, F b, F c) { return _mm256_fmadd_ps(a, b, c); }
  static F max(F a, F b) { return _mm256_max_ps(a, b); }
};

}  // namespace
}  // namespace textcrs
