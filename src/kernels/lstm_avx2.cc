// Compiled for AVX2 and FMA.
#include "kernels/avx2.h"
#include "kernels/exp2.h"
#include "kernels/lstm_steps.h"

namespace textcrs {
namespace {

struct Fp32 : Avx2 {
  using H = float;
  static constexpr int kRows = 2, kTerms = 1;

  // 2^n 2^r with n = floor(x); n goes into the exponent.
  static F exp2(F x) {
    const F y = _mm256_max_ps(_mm256_min_ps(x, set1(40.0f)), set1(-40.0f));
    const F n = _mm256_floor_ps(y);
    const F p = exp2_of_fraction<Avx2>(sub(y, n));
    const __m256i exponent = _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(p), exponent));
  }
  static F reciprocal(F x) { return _mm256_div_ps(set1(1.0f), x); }

  static F broadcast(const float* state) { return _mm256_broadcast_ss(state); }
  static F weights(const float* at, int i) { return load(at + i * kLanes); }
  static F product(F state, F weight, F sum) { return fma(state, weight, sum); }
  static F rounded_to_bf16(F x) {
    const __m256i bits = _mm256_castps_si256(x);
    const __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    const __m256i up = _mm256_add_epi32(bits, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    return _mm256_castsi256_ps(_mm256_and_si256(up, _mm256_set1_epi32(~0xffff)));
  }
  static float state_of(float x, bool round) {
    return round ? _mm256_cvtss_f32(rounded_to_bf16(set1(x))) : x;
  }
  static void store_state(float* states, F x, ptrdiff_t unit, bool round) {
    store(states + unit, round ? rounded_to_bf16(x) : x);
  }
};

}  // namespace

const LstmKernel& lstm_avx2() { return LstmSteps<Fp32>::kKernel; }

}  // namespace textcrs
