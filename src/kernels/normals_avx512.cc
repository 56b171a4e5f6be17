// Compiled for AVX-512 F, BW, DQ and VL.
#include <immintrin.h>

#include "kernels/normals_steps.h"

namespace textcrs {
namespace {

struct Avx512 {
  static constexpr int kLanes = 16, kTogether = 2;
  using F = float __attribute__((vector_size(64)));
  using I = int32_t __attribute__((vector_size(64)));
  using U = uint32_t __attribute__((vector_size(64)));
  using W = uint64_t __attribute__((vector_size(64)));

  static F fma(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
  static F sqrt(F x) { return _mm512_sqrt_ps(x); }
  static F rounded(F x) { return x; }

  static W set(uint64_t x) { return W{} + x; }
  static W product(W a, W b) { return (W)_mm512_mul_epu32((__m512i)a, (__m512i)b); }
  // Unpacking puts the even places of a W, then the odd ones, next to each other.
  static constexpr int kOrder[] = {0, 4, 1, 5, 2, 6, 3, 7};
  static W order() { return W{0, 4, 1, 5, 2, 6, 3, 7}; }
  static U halves(W a, W b) {
    return (U)_mm512_mask_shuffle_epi32((__m512i)a, 0xaaaa, (__m512i)b, _MM_PERM_CCAA);
  }
  template <typename T, typename V>
  static void store_pairs(T* to, V x, V y) {
    _mm512_storeu_si512(to, _mm512_unpacklo_epi32((__m512i)x, (__m512i)y));
    _mm512_storeu_si512(to + 16, _mm512_unpackhi_epi32((__m512i)x, (__m512i)y));
  }
};

}  // namespace

const NormalsKernel& normals_avx512() {
  using Steps = NormalsSteps<Avx512>;
  static constexpr NormalsKernel kernel = {Steps::kStep, Steps::words, Steps::normals_of_words,
                                           Steps::normals};
  return kernel;
}

}  // namespace textcrs
