// Plain C++: vectors of four floats, which the compiler maps to what the machine has.
#include "kernels/normals_steps.h"

namespace textcrs {
namespace {

struct Portable {
  static constexpr int kLanes = 4, kTogether = 1;
  using F = float __attribute__((vector_size(16)));
  using I = int32_t __attribute__((vector_size(16)));
  using U = uint32_t __attribute__((vector_size(16)));
  // Not a vector: few machines multiply 64 bits there.
  struct W {
    uint64_t a, b;
    friend W operator+(W x, W y) { return {x.a + y.a, x.b + y.b}; }
    friend W operator^(W x, W y) { return {x.a ^ y.a, x.b ^ y.b}; }
    friend W operator>>(W x, int bits) { return {x.a >> bits, x.b >> bits}; }
  };

  static F fma(F a, F b, F c) { return a * b + c; }
  static F sqrt(F x) {
    return F{__builtin_sqrtf(x[0]), __builtin_sqrtf(x[1]), __builtin_sqrtf(x[2]),
             __builtin_sqrtf(x[3])};
  }
  static F rounded(F x) {
    return __builtin_convertvector(__builtin_convertvector(x * 0x1p28f, I), F) * 0x1p-28f;
  }

  static W set(uint64_t x) { return {x, x}; }
  static W product(W x, W y) {
    return {(x.a & 0xffffffff) * (y.a & 0xffffffff), (x.b & 0xffffffff) * (y.b & 0xffffffff)};
  }
  static constexpr int kOrder[] = {0, 1};
  static W order() { return {0, 1}; }
  static U halves(W x, W y) {
    return U{static_cast<uint32_t>(x.a), static_cast<uint32_t>(y.a), static_cast<uint32_t>(x.b),
             static_cast<uint32_t>(y.b)};
  }
  template <typename T, typename V>
  static void store_pairs(T* to, V x, V y) {
    const V pairs[] = {V{x[0], y[0], x[1], y[1]}, V{x[2], y[2], x[3], y[3]}};
    __builtin_memcpy(to, pairs, sizeof(pairs));
  }
};

}  // namespace

const NormalsKernel& normals_portable() {
  using Steps = NormalsSteps<Portable>;
  static constexpr NormalsKernel kernel = {Steps::kStep, Steps::words, Steps::normals_of_words,
                                           Steps::normals};
  return kernel;
}

}  // namespace textcrs
