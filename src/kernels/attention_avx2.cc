// Compiled for AVX2 and FMA.
#include "kernels/attention_steps.h"
#include "kernels/avx2.h"
#include "kernels/exp2.h"

namespace textcrs {
namespace {

struct Fp32 : Avx2 {
  static constexpr int kRows = 6, kColumns = 2, kTerms = 1;

  // The size of a head is a multiple of the lanes.
  static F load_some(const float* from, int) { return load(from); }
  static void store_some(float* to, F x, int) { store(to, x); }

  // 2^n 2^r with n = floor(x); n goes into the exponent.
  static F exp2(F x) {
    const F y = max(set1(-126.0f), x);
    const F n = _mm256_floor_ps(y);
    const F p = exp2_of_fraction<Avx2>(sub(y, n));
    const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), exponent));
  }
  static float highest(F x) {
    const __m128 a = _mm_max_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    const __m128 b = _mm_max_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_max_ss(b, _mm_movehdup_ps(b)));
  }
  static float total(F x) {
    const __m128 a = _mm_add_ps(_mm256_castps256_ps128(x), _mm256_extractf128_ps(x, 1));
    const __m128 b = _mm_add_ps(a, _mm_movehl_ps(a, a));
    return _mm_cvtss_f32(_mm_add_ss(b, _mm_movehdup_ps(b)));
  }

  static F words(F x, F, bool round) { return round ? rounded_to_bf16(x) : x; }
  static F pairs(F x, F, bool round) { return round ? rounded_to_bf16(x) : x; }
  static F broadcast(const float* word) { return _mm256_broadcast_ss(word); }
  static F product(F a, F b, F sum) { return fma(a, b, sum); }
  static F ones() { return set1(1.0f); }

  // Within fours of lanes first: u[4 g + j] has in its q-th four the words 4 q + j of the rows
  // 4 g .. 4 g + 3. Then the fours.
  static void transpose(const float* from, ptrdiff_t stride, float* to) {
    F u[8];
#pragma GCC unroll 2
    for (int g = 0; g < 8; g += 4) {
      const F r0 = load(from + g * stride), r1 = load(from + (g + 1) * stride);
      const F r2 = load(from + (g + 2) * stride), r3 = load(from + (g + 3) * stride);
      const F a = _mm256_unpacklo_ps(r0, r1), b = _mm256_unpackhi_ps(r0, r1);
      const F c = _mm256_unpacklo_ps(r2, r3), d = _mm256_unpackhi_ps(r2, r3);
      u[g] = _mm256_shuffle_ps(a, c, 0x44);
      u[g + 1] = _mm256_shuffle_ps(a, c, 0xee);
      u[g + 2] = _mm256_shuffle_ps(b, d, 0x44);
      u[g + 3] = _mm256_shuffle_ps(b, d, 0xee);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      store(to + ptrdiff_t{8} * j, _mm256_permute2f128_ps(u[j], u[4 + j], 0x20));
      store(to + ptrdiff_t{8} * (4 + j), _mm256_permute2f128_ps(u[j], u[4 + j], 0x31));
    }
  }

 private:
  static F rounded_to_bf16(F x) {
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    return _mm256_castsi256_ps(_mm256_and_si256(up, _mm256_set1_epi32(~0xffff)));
  }
};

}  // namespace

const AttentionKernel& attention_avx2() { return AttentionSteps<Fp32>::kKernel; }

}  // namespace textcrs
