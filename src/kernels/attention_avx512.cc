// Compiled for AVX-512 F, BW, DQ and VL.
#include "kernels/attention_avx512.h"

#include "kernels/attention_steps.h"

namespace textcrs {
namespace {

struct Fp32 : AttentionAvx512 {
  static constexpr int kTerms = 1;

  static F words(F x, F, bool round) { return round ? rounded_to_bf16(x) : x; }
  static F pairs(F x, F, bool round) { return round ? rounded_to_bf16(x) : x; }
  static F broadcast(const float* word) { return set1(*word); }
  static F product(F a, F b, F sum) { return fma(a, b, sum); }
  static F ones() { return set1(1.0f); }
};

}  // namespace

const AttentionKernel& attention_avx512() { return AttentionSteps<Fp32>::kKernel; }

}  // namespace textcrs
