#include "kernels/attention.h"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace textcrs {
namespace {

// CPUs with the matrix unit are Intel's, whose dot products of bf16 are slower than products of
// fp32: rounded operands in the latter give the same products.
const AttentionKernel& kernel_of(Isa isa) {
  switch (isa) {
    case Isa::kPortable:
      return attention_portable();
#if defined(__x86_64__)
    case Isa::kAvx2:
      return attention_avx2();
    case Isa::kAvx512:
    case Isa::kAmx:
      return attention_avx512();
    case Isa::kAvx512Bf16:
      return attention_avx512_bf16();
#endif
    default:
      throw std::logic_error("Attention: this build has no kernel for the ISA");
  }
}

}  // namespace

Attention::Attention(Isa isa, Precision precision, int heads, int head_size)
    : kernel_(&kernel_of(isa)) {
  if (heads < 1 || head_size < 8 || head_size % 8 != 0)
    throw std::logic_error("Attention: the size of a head has to be a multiple of 8");
  if (isa >= Isa::kAvx512Bf16 && precision == Precision::kFp32)
    throw std::logic_error("Attention: the kernel computes in bf16 only");
  shape_.heads = heads;
  shape_.head_size = head_size;
  shape_.scale = static_cast<float>(std::numbers::log2e / std::sqrt(head_size));
  shape_.round_to_bf16 = precision == Precision::kBf16;
}

void Attention::run(const AttentionCall& call, AlignedBytes& scratch) const {
  if (call.length < 1 || call.queries < 1 || call.queries > call.length ||
      call.stride < ptrdiff_t{3} * width() || call.output_stride < width())
    throw std::logic_error("Attention: a call of another shape");
  scratch.reserve(kernel_->scratch_bytes(shape_, call.length));
  kernel_->run(shape_, call, scratch.data());
}

}  // namespace textcrs
