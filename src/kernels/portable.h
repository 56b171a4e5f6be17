// The vector of four floats that the portable kernels share, which the compiler maps to what the
// machine has. Internal linkage: see lstm_cells.h.
#pragma once

namespace textcrs {
namespace {

struct Portable {
  using F = float __attribute__((vector_size(16)));
  static constexpr int kLanes = 4;

  static F load(const float* from) {
    F x;
    __builtin_memcpy(&x, from, sizeof(x));
    return x;
  }
  static void store(float* to, F x) { __builtin_memcpy(to, &x, sizeof(x)); }
  static F set1(float x) { return F{x, x, x, x}; }
  static F add(F a, F b) { return a + b; }
  static F sub(F a, F b) { return a - b; }
  static F mul(F a, F b) { return a * b; }
  static F fma(F a, F b, F c) { return a * b + c; }
  static F max(F a, F b) { return a > b ? a : b; }
};

}  // namespace
}  // namespace textcrs
