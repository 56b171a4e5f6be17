// Compiled for AVX-512 F, BW, DQ, VL and BF16: two products of bf16 per lane and instruction.
#include "kernels/dense_avx512_bf16.h"

#include "kernels/dense_vectors.h"

namespace textcrs {
namespace {

struct Pairs : DenseAvx512Bf16 {
  static constexpr int kRows = 12, kColumns = 2, kTerms = 2;

  static __m512bh broadcast(const uint16_t* terms) {
    int pair;
    __builtin_memcpy(&pair, terms, sizeof(pair));
    return (__m512bh)_mm512_set1_epi32(pair);
  }
  static __m512bh weights(const uint16_t* at, int i) {
    return (__m512bh)_mm512_loadu_si512(at + ptrdiff_t{i} * 2 * kLanes);
  }
  static F product(__m512bh terms, __m512bh weight, F sum) {
    return _mm512_dpbf16_ps(sum, terms, weight);
  }
};

}  // namespace

const DenseKernel& dense_avx512_bf16() { return DenseVectors<Pairs>::kKernel; }

}  // namespace textcrs
