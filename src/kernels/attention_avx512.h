// What the attention kernels with vectors of sixteen floats share. Internal linkage: see
// lstm_cells.h.
#pragma once

#include "kernels/avx512.h"

namespace textcrs {
namespace {

struct AttentionAvx512 : Avx512 {
  static constexpr int kRows = 6, kColumns = 4;

  static __mmask16 first(int n) {
    return static_cast<__mmask16>(n >= kLanes ? 0xffff : n <= 0 ? 0 : (1 << n) - 1);
  }
  static F load_some(const float* from, int n) { return _mm512_maskz_loadu_ps(first(n), from); }
  static void store_some(float* to, F x, int n) { _mm512_mask_storeu_ps(to, first(n), x); }

  static F exp2(F x) {
    const F y = max(set1(-126.0f), x);
    const F r = _mm512_reduce_ps(y, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
    return _mm512_scalef_ps(exp2_of_fraction<Avx512>(r), y);
  }
  static float highest(F x) { return _mm512_reduce_max_ps(x); }
  static float total(F x) { return _mm512_reduce_add_ps(x); }

  // Within fours of lanes first: u[4 g + j] has in its q-th four the words 4 q + j of the rows
  // 4 g .. 4 g + 3. Then the fours.
  static void transpose(const float* from, ptrdiff_t stride, float* to) {
    F t[16], u[16];
#pragma GCC unroll 8
    for (int i = 0; i < 16; i += 2) {
      const F a = load(from + i * stride), b = load(from + (i + 1) * stride);
      t[i] = _mm512_unpacklo_ps(a, b);
      t[i + 1] = _mm512_unpackhi_ps(a, b);
    }
#pragma GCC unroll 4
    for (int g = 0; g < 16; g += 4) {
      u[g] = low_pairs(t[g], t[g + 2]);
      u[g + 1] = high_pairs(t[g], t[g + 2]);
      u[g + 2] = low_pairs(t[g + 1], t[g + 3]);
      u[g + 3] = high_pairs(t[g + 1], t[g + 3]);
    }
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) {
      const F a = even_fours(u[j], u[4 + j]), b = odd_fours(u[j], u[4 + j]);
      const F c = even_fours(u[8 + j], u[12 + j]), d = odd_fours(u[8 + j], u[12 + j]);
      store(to + ptrdiff_t{16} * j, even_fours(a, c));
      store(to + ptrdiff_t{16} * (4 + j), even_fours(b, d));
      store(to + ptrdiff_t{16} * (8 + j), odd_fours(a, c));
      store(to + ptrdiff_t{16} * (12 + j), odd_fours(b, d));
    }
  }

 private:
  static F low_pairs(F a, F b) {
    return _mm512_castpd_ps(_mm512_unpacklo_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
  }
  static F high_pairs(F a, F b) {
    return _mm512_castpd_ps(_mm512_unpackhi_pd(_mm512_castps_pd(a), _mm512_castps_pd(b)));
  }
  static F even_fours(F a, F b) { return _mm512_shuffle_f32x4(a, b, 0x88); }
  static F odd_fours(F a, F b) { return _mm512_shuffle_f32x4(a, b, 0xdd); }
};

}  // namespace
}  // namespace textcrs
