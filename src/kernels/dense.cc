#include "kernels/dense.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "kernels/bf16.h"

namespace textcrs {
namespace {

const DenseKernel& kernel_of(Isa isa) {
  switch (isa) {
    case Isa::kPortable:
      return dense_portable();
#if defined(__x86_64__)
    case Isa::kAvx2:
      return dense_avx2();
    case Isa::kAvx512:
      return dense_avx512();
    case Isa::kAvx512Bf16:
      return dense_avx512_bf16();
    case Isa::kAmx:
      return dense_amx();
#endif
    default:
      throw std::logic_error("Dense: this build has no kernel for the ISA");
  }
}

int round_up(int n, int multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

Dense::Dense(Isa isa, Precision precision, int outputs, int inputs, std::span<const float> weight,
             std::span<const float> bias)
    : Dense(kernel_of(isa), precision, outputs, inputs, weight, bias) {}

Dense::Dense(const DenseKernel& kernel, Precision precision, int outputs, int inputs,
             std::span<const float> weight, std::span<const float> bias)
    : kernel_(&kernel) {
  if (outputs < 1 || inputs < 1 ||
      weight.size() != static_cast<size_t>(outputs) * static_cast<size_t>(inputs) ||
      bias.size() != static_cast<size_t>(outputs))
    throw std::logic_error("Dense: weights of another shape");
  if (kernel.terms_at_a_time > 1 && precision == Precision::kFp32)
    throw std::logic_error("Dense: the kernel computes in bf16 only");
  shape_.outputs = outputs;
  shape_.inputs = inputs;
  shape_.panels = (outputs + kernel.panel - 1) / kernel.panel;
  shape_.terms = round_up(inputs, kernel.terms_at_a_time);
  shape_.round_to_bf16 = precision == Precision::kBf16;
  pack(weight, bias);
}

void Dense::pack(std::span<const float> weight, std::span<const float> bias) {
  const bool pairs = kernel_->terms_at_a_time > 1;
  const auto panel = static_cast<size_t>(kernel_->panel), terms = static_cast<size_t>(shape_.terms);
  const auto inputs = static_cast<size_t>(shape_.inputs);
  const size_t padded = static_cast<size_t>(shape_.panels) * panel;
  weights_.reserve(padded * terms * (pairs ? sizeof(uint16_t) : sizeof(float)));
  bias_.reserve(padded * sizeof(float));
  shape_.weights = weights_.data();
  shape_.bias = bias_.as<float>();
  for (size_t output = 0; output < padded; ++output) {
    const bool there = output < bias.size();
    bias_.as<float>()[output] = there ? bias[output] : 0;
    const size_t p = output / panel, o = output % panel;
    for (size_t k = 0; k < terms; ++k) {
      const float x = there && k < inputs ? weight[output * inputs + k] : 0;
      if (pairs)
        weights_.as<uint16_t>()[((p * terms / 2 + k / 2) * panel + o) * 2 + k % 2] = to_bf16(x);
      else
        weights_.as<float>()[(p * terms + k) * panel + o] =
            shape_.round_to_bf16 ? rounded_to_bf16(x) : x;
    }
  }
}

void Dense::run(const DenseCall& call, AlignedBytes& scratch) const {
  if (call.rows < 0) throw std::logic_error("Dense: a negative number of rows");
  if (call.rows == 0) return;
  if (call.input == nullptr || call.output == nullptr)
    throw std::logic_error("Dense: no input or no output");
  if (call.rows > 1 && (call.input_stride < shape_.inputs || call.output_stride < shape_.outputs))
    throw std::logic_error("Dense: rows overlap");
  scratch.reserve(kernel_->scratch_bytes(shape_, call.rows));
  kernel_->run(shape_, call, scratch.data());
}

}  // namespace textcrs
