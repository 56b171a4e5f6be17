// Plain C++.
#include "kernels/dense_portable.h"

#include "kernels/dense_vectors.h"

namespace textcrs {
namespace {

struct Fp32 : DensePortable {
  using H = float;
  static constexpr int kRows = 4, kColumns = 2, kTerms = 1;

  static void store_terms(float* to, F x, bool round) { store(to, round ? rounded_to_bf16(x) : x); }
  static F broadcast(const float* term) { return set1(*term); }
  static F weights(const float* at, int i) { return load(at + ptrdiff_t{i} * kLanes); }
  static F product(F term, F weight, F sum) { return fma(term, weight, sum); }
};

}  // namespace

const DenseKernel& dense_portable() { return DenseVectors<Fp32>::kKernel; }

}  // namespace textcrs
