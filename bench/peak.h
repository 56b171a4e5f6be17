// The most a core can multiply: products of registers, nothing loaded or stored.
#pragma once

#include "textcrs/kernels/isa.h"

namespace textcrs::bench {

// Operations per second of one core, in units of 10^9: a multiplication and an addition are two.
double peak_gflops(Isa isa);

// One per file and ISA: runs `rounds` of so many operations and returns something of the result.
struct PeakLoop {
  double flops_per_round;
  float (*run)(long rounds);
};
PeakLoop peak_portable();
PeakLoop peak_avx2();
PeakLoop peak_avx512();
PeakLoop peak_avx512_bf16();
PeakLoop peak_amx();

}  // namespace textcrs::bench
