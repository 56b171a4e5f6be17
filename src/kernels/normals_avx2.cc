// Compiled for AVX2 and FMA.
#include <immintrin.h>

#include "kernels/normals_steps.h"

namespace textcrs {
namespace {

struct Avx2 {
  static constexpr int kLanes = 8, kTogether = 2;
  using F = float __attribute__((vector_size(32)));
  using I = int32_t __attribute__((vector_size(32)));
  using U = uint32_t __attribute__((vector_size(32)));
  using W = uint64_t __attribute__((vector_size(32)));

  static F fma(F a, F b, F c) { return _mm256_fmadd_ps(a, b, c); }
  static F sqrt(F x) { return _mm256_sqrt_ps(x); }
  static F rounded(F x) { return x; }

  static W set(uint64_t x) { return W{} + x; }
  static W product(W a, W b) { return (W)_mm256_mul_epu32((__m256i)a, (__m256i)b); }
  // Unpacking puts the even places of a W, then the odd ones, next to each other.
  static constexpr int kOrder[] = {0, 2, 1, 3};
  static W order() { return W{0, 2, 1, 3}; }
  static U halves(W a, W b) { return (U)_mm256_blend_epi32((__m256i)a, (__m256i)(b << 32), 0xaa); }
  template <typename T, typename V>
  static void store_pairs(T* to, V x, V y) {
    auto* const vectors = reinterpret_cast<__m256i*>(to);
    _mm256_storeu_si256(vectors, _mm256_unpacklo_epi32((__m256i)x, (__m256i)y));
    _mm256_storeu_si256(vectors + 1, _mm256_unpackhi_epi32((__m256i)x, (__m256i)y));
  }
};

}  // namespace

const NormalsKernel& normals_avx2() {
  using Steps = NormalsSteps<Avx2>;
  static constexpr NormalsKernel kernel = {Steps::kStep, Steps::words, Steps::normals_of_words,
                                           Steps::normals};
  return kernel;
}

}  // namespace textcrs
