// Plain C++.
#include <cstdint>

#include "kernels/attention_steps.h"
#include "kernels/exp2.h"
#include "kernels/portable.h"

namespace textcrs {
namespace {

struct Fp32 : Portable {
  using I = int32_t __attribute__((vector_size(16)));
  static constexpr int kRows = 4, kColumns = 2, kTerms = 1;

  // The size of a head is a multiple of the lanes.
  static F load_some(const float* from, int) { return load(from); }
  static void store_some(float* to, F x, int) { store(to, x); }

  // 2^n 2^r with n = floor(x), or x - 1 where x is an odd integer. Adding 1.5 2^23 rounds to an
  // integer, in the middle to an even one, and leaves it in the low bits.
  static F exp2(F x) {
    const F y = max(set1(-126.0f), x);
    const F shifted = (y - 0.5f) + 12582912.0f;
    const F p = exp2_of_fraction<Portable>(y - (shifted - 12582912.0f));
    return (F)((I)p + ((I)shifted << 23));
  }
  static float highest(F x) {
    float best = x[0];
    for (int l = 1; l < kLanes; ++l) best = best > x[l] ? best : x[l];
    return best;
  }
  static float total(F x) { return (x[0] + x[1]) + (x[2] + x[3]); }

  static F words(F x, F, bool round) { return round ? rounded_to_bf16(x) : x; }
  static F pairs(F x, F, bool round) { return round ? rounded_to_bf16(x) : x; }
  static F broadcast(const float* word) { return set1(*word); }
  static F product(F a, F b, F sum) { return fma(a, b, sum); }
  static F ones() { return set1(1.0f); }

  static void transpose(const float* from, ptrdiff_t stride, float* to) {
    for (int r = 0; r < kLanes; ++r)
      for (int w = 0; w < kLanes; ++w) to[w * kLanes + r] = from[r * stride + w];
  }

 private:
  static F rounded_to_bf16(F x) {
    const I bits = (I)x;
    return (F)((bits + 0x7fff + (bits >> 16 & 1)) & ~0xffff);
  }
};

}  // namespace

const AttentionKernel& attention_portable() { return AttentionSteps<Fp32>::kKernel; }

}  // namespace textcrs
