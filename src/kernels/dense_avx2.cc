// Compiled for AVX2 and FMA.
#include "kernels/avx2.h"
#include "kernels/dense_vectors.h"
#include "kernels/exp2.h"

namespace textcrs {
namespace {

struct Fp32 : Avx2 {
  using H = float;
  static constexpr int kRows = 6, kColumns = 2, kTerms = 1;

  static F negative_abs(F x) { return _mm256_or_ps(x, set1(-0.0f)); }
  // 2^n 2^r with n = floor(x); n goes into the exponent.
  static F exp2_up_to_0(F x) {
    const F n = _mm256_floor_ps(x);
    const F p = exp2_of_fraction<Avx2>(sub(x, n));
    const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), exponent));
  }
  static F rounded_to_bf16(F x) {
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    return _mm256_castsi256_ps(_mm256_and_si256(up, _mm256_set1_epi32(~0xffff)));
  }
  static void store_terms(float* to, F x, bool round) {
    const F number = _mm256_cmp_ps(x, x, _CMP_ORD_Q);
    store(to, round ? _mm256_blendv_ps(x, rounded_to_bf16(x), number) : x);
  }
  static F broadcast(const float* term) { return _mm256_broadcast_ss(term); }
  static F weights(const float* at, int i) { return load(at + ptrdiff_t{i} * kLanes); }
  static F product(F term, F weight, F sum) { return fma(term, weight, sum); }
};

}  // namespace

const DenseKernel& dense_avx2() { return DenseVectors<Fp32>::kKernel; }

}  // namespace textcrs
