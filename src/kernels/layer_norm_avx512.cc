// Compiled for AVX-512 F, BW, DQ and VL.
#include "kernels/avx512.h"
#include "kernels/layer_norm_rows.h"

namespace textcrs {
namespace {

struct Rows : Avx512 {
  static __mmask16 first(int n) { return static_cast<__mmask16>((1 << n) - 1); }
  static F load_some(const float* from, int n, F rest) {
    return _mm512_mask_loadu_ps(rest, first(n), from);
  }
  static void store_some(float* to, F x, int n) { _mm512_mask_storeu_ps(to, first(n), x); }
  static float total(F x) { return _mm512_reduce_add_ps(x); }
};

}  // namespace

void layer_norm_avx512(const LayerNormCall& call) { LayerNormRows<Rows>::run(call); }

}  // namespace textcrs
