// Compiled for AVX2 and FMA.
#include "kernels/avx2.h"
#include "kernels/layer_norm_rows.h"

namespace textcrs {
namespace {

struct Rows : Avx2 {
  static __m256i first(int n) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  }
  static F load_some(const float* from, int n, F rest) {
    const __m256i mask = first(n);
    return _mm256_blendv_ps(rest, _mm256_maskload_ps(from, mask), _mm256_castsi256_ps(mask));
  }
  static void store_some(float* to, F x, int n) { _mm256_maskstore_ps(to, first(n), x); }
  static float total(F x) {
    const __m128 a = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    const __m128 b = _mm_add_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_add_ss(b, _mm_movehdup_ps(b)));
  }
};

}  // namespace

void layer_norm_avx2(const LayerNormCall& call) { LayerNormRows<Rows>::run(call); }

}  // namespace textcrs
