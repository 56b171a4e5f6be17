// Compiled for AVX-512 F, BW, DQ and VL.
#include <immintrin.h>

#include "kernels/avx512.h"
#include "kernels/lstm_steps.h"

namespace textcrs {
namespace {

struct Fp32 : Avx512 {
  using H = float;
  static constexpr int kRows = 6, kTerms = 1;

  static F broadcast(const float* state) { return _mm512_set1_ps(*state); }
  static F weights(const float* at, int i) { return load(at + i * kLanes); }
  static F product(F state, F weight, F sum) { return _mm512_fmadd_ps(state, weight, sum); }
  static float state_of(float x, bool round) {
    return round ? _mm512_cvtss_f32(rounded_to_bf16(_mm512_set1_ps(x))) : x;
  }
  static void store_state(float* states, F x, ptrdiff_t unit, bool round) {
    store(states + unit, round ? rounded_to_bf16(x) : x);
  }
};

}  // namespace

const LstmKernel& lstm_avx512() { return LstmSteps<Fp32>::kKernel; }

}  // namespace textcrs
