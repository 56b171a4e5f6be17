// Compiled for AVX-512 F, BW, DQ, VL and BF16: two products of bf16 per lane and instruction.
#include "kernels/avx512_bf16.h"
#include "kernels/lstm_steps.h"

namespace textcrs {
namespace {

struct Pairs : Avx512Bf16 {
  static constexpr int kRows = 6, kTerms = 2;

  static __m512bh broadcast(const uint16_t* states) {
    int pair;
    __builtin_memcpy(&pair, states, sizeof(pair));
    return (__m512bh)_mm512_set1_epi32(pair);
  }
  static __m512bh weights(const uint16_t* at, int i) {
    return (__m512bh)_mm512_loadu_si512(at + i * 2 * kLanes);
  }
  static F product(__m512bh state, __m512bh weight, F sum) {
    return _mm512_dpbf16_ps(sum, state, weight);
  }
};

}  // namespace

const LstmKernel& lstm_avx512_bf16() { return LstmSteps<Pairs>::kKernel; }

}  // namespace textcrs
