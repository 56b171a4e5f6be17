#pragma once

#include "textcrs/kernels/isa.h"

namespace textcrs {

// Whether the cpu engine computes in that precision there.
inline bool knows(Isa isa, Precision precision) {
  return precision == Precision::kBf16 || isa < Isa::kAvx512Bf16;
}

}  // namespace textcrs
