// The vector of sixteen floats that the AVX-512 kernels share. Internal linkage: see lstm_cells.h.
#pragma once

#include <immintrin.h>

#include <cstddef>

#include "kernels/exp2.h"

namespace textcrs {
namespace {

struct Avx512 {
  using F = __m512;
  static constexpr int kLanes = 16;

  static F load(const float* from) { return _mm512_loadu_ps(from); }
  static void store(float* to, F x) { _mm512_storeu_ps(to, x); }
  static F set1(float x) { return _mm512_set1_ps(x); }
  static F add(F a, F b) { return _mm512_add_ps(a, b); }
  static F sub(F a, F b) { return _mm512_sub_ps(a, b); }
  static F mul(F a, F b) { return _mm512_mul_ps(a, b); }
  static F fma(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }
  static F max(F a, F b) { return _mm512_max_ps(a, b); }
  static F min(F a, F b) { return _mm512_min_ps(a, b); }

  // scalef(p, x) = p 2^floor(x), which is 0 far below.
  static F exp2(F x) {
    const F y = min(x, set1(40.0f));
    const F r = _mm512_reduce_ps(y, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    return _mm512_scalef_ps(exp2_of_fraction<Avx512>(r), y);
  }

  // One step of Newton's method from 14 bits.
  static F reciprocal(F x) {
    const F y = _mm512_rcp14_ps(x);
    return mul(y, _mm512_fnmadd_ps(x, y, set1(2.0f)));
  }

  // To the nearest, ties to even.
  static F rounded_to_bf16(F x) {
    const __m512i bits = _mm512_castps_si512(x);
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    const __m512i up = _mm512_add_epi32(bits, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    return _mm512_castsi512_ps(_mm512_and_si512(up, _mm512_set1_epi32(~0xffff)));
  }
};

}  // namespace
}  // namespace textcrs
