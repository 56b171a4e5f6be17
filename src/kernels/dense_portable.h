// Plain C++ for the dense layer. Internal linkage: see lstm_cells.h.
#pragma once

#include <cstdint>

#include "kernels/exp2.h"
#include "kernels/portable.h"

namespace textcrs {
namespace {

struct DensePortable : Portable {
  using U = uint32_t __attribute__((vector_size(16)));

  static F negative_abs(F x) { return (F)((U)x | 0x80000000u); }
  // 2^n 2^r with n = floor(x), or x - 1 where x is an integer. Adding 1.5 2^23 rounds to an integer
  // and leaves it in the low bits.
  static F exp2_up_to_0(F x) {
    const F shifted = (x - 0.5f) + 12582912.0f;
    const F p = exp2_of_fraction<Portable>(x - (shifted - 12582912.0f));
    return (F)((U)p + ((U)shifted << 23));
  }
  // To the nearest, ties to even; NaN stays what it is.
  static F rounded_to_bf16(F x) {
    const U bits = (U)x;
    return x == x ? (F)((bits + 0x7fffu + (bits >> 16 & 1u)) & ~0xffffu) : x;
  }
};

}  // namespace
}  // namespace textcrs
