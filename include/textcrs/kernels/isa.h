// Which vector instructions the CPU engine runs on, and in which precision.
#pragma once

#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// From the slowest to the fastest.
enum class Isa {
  kPortable,    // whatever the compiler makes of plain C++
  kAvx2,        // AVX2 and FMA
  kAvx512,      // AVX-512 F, BW, DQ, VL
  kAvx512Bf16,  // and its dot products of bf16
  kAmx,         // and the matrix unit, bf16
};

// What the numbers that are multiplied are rounded to; sums are fp32 in either.
enum class Precision { kFp32, kBf16 };

// Those this CPU and its kernel allow, in the order above. The first call asks the kernel for the
// matrix unit.
const std::vector<Isa>& available_isas();

// The fastest available one that computes in this precision: the last of those above, but not
// kAvx512Bf16 on CPUs where kAvx512 is faster. kAvx512Bf16 and kAmx know bf16 only; the others
// compute in both.
Isa best_isa(Precision precision);

// "portable", "avx2", "avx512", "avx512bf16", "amx", or "auto" for the best. A usage Error for an
// unknown name, for one this machine lacks and for one that does not know the precision.
Isa parse_isa(std::string_view name, Precision precision);
std::string_view to_string(Isa isa);

Precision parse_precision(std::string_view name);  // "fp32" or "bf16"; else a usage Error
std::string_view to_string(Precision precision);

}  // namespace textcrs
