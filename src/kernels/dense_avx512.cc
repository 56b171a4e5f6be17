// Compiled for AVX-512 F, BW, DQ and VL.
#include "kernels/avx512.h"
#include "kernels/dense_vectors.h"

namespace textcrs {
namespace {

struct Fp32 : Avx512 {
  using H = float;
  static constexpr int kRows = 12, kColumns = 2, kTerms = 1;

  static F negative_abs(F x) { return _mm512_or_ps(x, set1(-0.0f)); }
  static F exp2_up_to_0(F x) { return exp2(x); }
  static void store_terms(float* to, F x, bool round) {
    const __mmask16 number = _mm512_cmp_ps_mask(x, x, _CMP_ORD_Q);
    store(to, round ? _mm512_mask_blend_ps(number, x, rounded_to_bf16(x)) : x);
  }
  static F broadcast(const float* term) { return set1(*term); }
  static F weights(const float* at, int i) { return load(at + ptrdiff_t{i} * kLanes); }
  static F product(F term, F weight, F sum) { return fma(term, weight, sum); }
};

}  // namespace

const DenseKernel& dense_avx512() { return DenseVectors<Fp32>::kKernel; }

}  // namespace textcrs
