// Compiled for AVX-512 F, BW, DQ, VL and BF16: two products of bf16 per lane and instruction.
#include "kernels/attention_avx512.h"
#include "kernels/attention_steps.h"

namespace textcrs {
namespace {

struct Pairs : AttentionAvx512 {
  static constexpr int kTerms = 2;

  static F words(F x, F y, bool) { return (F)_mm512_cvtne2ps_pbh(y, x); }
  static F pairs(F x, F y, bool) {
    const auto low = (__m256i)_mm512_cvtneps_pbh(x), high = (__m256i)_mm512_cvtneps_pbh(y);
    const __m512i upper = _mm512_slli_epi32(_mm512_cvtepu16_epi32(high), 16);
    return _mm512_castsi512_ps(_mm512_or_si512(_mm512_cvtepu16_epi32(low), upper));
  }
  static F broadcast(const float* word) { return set1(*word); }
  static F product(F a, F b, F sum) { return _mm512_dpbf16_ps(sum, (__m512bh)a, (__m512bh)b); }
  static F ones() { return _mm512_castsi512_ps(_mm512_set1_epi32(0x3f803f80)); }
};

}  // namespace

const AttentionKernel& attention_avx512_bf16() { return AttentionSteps<Pairs>::kKernel; }

}  // namespace textcrs
