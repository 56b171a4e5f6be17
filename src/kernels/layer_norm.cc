#include "kernels/layer_norm.h"

#include <stdexcept>

namespace textcrs {

void layer_norm(Isa isa, const LayerNormCall& call) {
  if (call.rows < 0 || call.width < 1)
    throw std::logic_error("layer_norm: there is nothing to normalize");
  switch (isa) {
    case Isa::kPortable:
      return layer_norm_portable(call);
#if defined(__x86_64__)
    case Isa::kAvx2:
      return layer_norm_avx2(call);
    case Isa::kAvx512:
    case Isa::kAvx512Bf16:
    case Isa::kAmx:
      return layer_norm_avx512(call);
#endif
    default:
      throw std::logic_error("layer_norm: this build has no kernel for the ISA");
  }
}

}  // namespace textcrs
