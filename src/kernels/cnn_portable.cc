// Plain C++: vectors of four floats, which the compiler maps to what the machine has.
#include "kernels/cnn_windows.h"

namespace textcrs {
namespace {

struct Portable {
  using F = float __attribute__((vector_size(16)));
  static constexpr int kLanes = 4, kRows = 4, kColumns = 2;

  static F load(const float* from) {
    F x;
    __builtin_memcpy(&x, from, sizeof(x));
    return x;
  }
  static void store(float* to, F x) { __builtin_memcpy(to, &x, sizeof(x)); }
  static F set1(float x) { return F{x, x, x, x}; }
  static F add(F a, F b) { return a + b; }
  static F fma(F a, F b, F c) { return a * b + c; }
  static F max(F a, F b) { return a > b ? a : b; }
};

}  // namespace

const CnnKernel& cnn_portable() {
  static constexpr CnnKernel kernel = {Portable::kLanes, Portable::kColumns,
                                       CnnWindows<Portable>::scratch_bytes,
                                       CnnWindows<Portable>::run, CnnWindows<Portable>::make_row};
  return kernel;
}

}  // namespace textcrs
