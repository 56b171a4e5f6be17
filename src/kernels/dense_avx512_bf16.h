// Rows in bf16 for the dense layer. Internal linkage: see lstm_cells.h.
#pragma once

#include "kernels/avx512_bf16.h"

namespace textcrs {
namespace {

struct DenseAvx512Bf16 : Avx512Bf16 {
  static F negative_abs(F x) { return _mm512_or_ps(x, set1(-0.0f)); }
  static F exp2_up_to_0(F x) { return exp2(x); }
  static void store_terms(uint16_t* to, F x, bool round) { store_state(to, x, 0, round); }
};

}  // namespace
}  // namespace textcrs
