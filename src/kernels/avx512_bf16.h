// Sixteen floats, and states in bf16. Internal linkage: see lstm_cells.h.
#pragma once

#include <cstdint>

#include "kernels/avx512.h"

namespace textcrs {
namespace {

struct Avx512Bf16 : Avx512 {
  using H = uint16_t;

  static uint16_t state_of(float x, bool) {
    const __m512i bits = _mm512_castps_si512(rounded_to_bf16(_mm512_set1_ps(x)));
    return static_cast<uint16_t>(static_cast<uint32_t>(_mm512_cvtsi512_si32(bits)) >> 16);
  }
  static void store_state(uint16_t* states, F x, ptrdiff_t unit, bool) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(states + unit), (__m256i)_mm512_cvtneps_pbh(x));
  }
};

}  // namespace
}  // namespace textcrs
