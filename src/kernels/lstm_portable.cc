// Plain C++.
#include "kernels/exp2.h"
#include "kernels/lstm_steps.h"
#include "kernels/portable.h"

namespace textcrs {
namespace {

struct Fp32 : Portable {
  using I = int32_t __attribute__((vector_size(16)));
  using H = float;
  static constexpr int kRows = 2, kTerms = 1;

  // 2^n 2^r with n = floor(x), or x - 1 where x is an integer. Adding 1.5 2^23 rounds to an integer
  // and leaves it in the low bits.
  static F exp2(F x) {
    F y = x < 40.0f ? x : set1(40.0f);
    y = y > -40.0f ? y : set1(-40.0f);
    const F shifted = (y - 0.5f) + 12582912.0f;
    const F p = exp2_of_fraction<Portable>(y - (shifted - 12582912.0f));
    return (F)((I)p + ((I)shifted << 23));
  }
  static F reciprocal(F x) { return 1.0f / x; }

  static F broadcast(const float* state) { return set1(*state); }
  static F weights(const float* at, int i) { return load(at + i * kLanes); }
  static F product(F state, F weight, F sum) { return fma(state, weight, sum); }
  static F rounded_to_bf16(F x) {
    const I bits = (I)x;
    return (F)((bits + 0x7fff + (bits >> 16 & 1)) & ~0xffff);
  }
  static float state_of(float x, bool round) { return round ? rounded_to_bf16(set1(x))[0] : x; }
  static void store_state(float* states, F x, ptrdiff_t unit, bool round) {
    store(states + unit, round ? rounded_to_bf16(x) : x);
  }
};

}  // namespace

const LstmKernel& lstm_portable() { return LstmSteps<Fp32>::kKernel; }

}  // namespace textcrs
