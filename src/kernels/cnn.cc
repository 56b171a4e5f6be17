#include "kernels/cnn.h"

#include <algorithm>
#include <stdexcept>

namespace textcrs {
namespace {

// There is next to nothing to multiply: the ISAs beyond AVX-512 have nothing to add.
const CnnKernel& kernel_of(Isa isa) {
  switch (isa) {
    case Isa::kPortable:
      return cnn_portable();
#if defined(__x86_64__)
    case Isa::kAvx2:
      return cnn_avx2();
    case Isa::kAvx512:
    case Isa::kAvx512Bf16:
    case Isa::kAmx:
      return cnn_avx512();
#endif
    default:
      throw std::logic_error("CnnFilters: this build has no kernel for the ISA");
  }
}

}  // namespace

CnnFilters::CnnFilters(Isa isa, int filters, int inputs, const std::array<Width, 3>& widths)
    : isa_(isa) {
  const CnnKernel& kernel = kernel_of(isa);
  if (filters < 1 || inputs < 1) throw std::logic_error("CnnFilters: nothing to compute");
  const size_t taps = static_cast<size_t>(filters) * static_cast<size_t>(inputs);
  for (size_t i = 0; i < widths.size(); ++i)
    if (widths[i].weight.size() != taps * static_cast<size_t>(kCnnWidths[i]) ||
        widths[i].bias.size() != static_cast<size_t>(filters))
      throw std::logic_error("CnnFilters: parameters of another shape");
  shape_.filters = filters;
  shape_.inputs = inputs;
  shape_.padded = (filters + kernel.lanes - 1) / kernel.lanes * kernel.lanes;
  pack(kernel.lanes, kernel.columns, widths);
}

void CnnFilters::pack(int lanes, int columns, const std::array<Width, 3>& widths) {
  const auto padded = static_cast<size_t>(shape_.padded);
  const auto inputs = static_cast<size_t>(shape_.inputs);
  const size_t weights = padded * kCnnOffsets * inputs, biases = padded * widths.size();
  weights_.reserve(weights * sizeof(float));
  biases_.reserve(biases * sizeof(float));
  std::fill_n(weights_.as<float>(), weights, 0.0f);
  std::fill_n(biases_.as<float>(), biases, 0.0f);
  shape_.weights = weights_.as<float>();
  shape_.biases = biases_.as<float>();
  int first = 0;
  for (size_t i = 0; i < widths.size(); first += kCnnWidths[i++])
    for (int filter = 0; filter < shape_.filters; ++filter) {
      biases_.as<float>()[i * padded + static_cast<size_t>(filter)] =
          widths[i].bias[static_cast<size_t>(filter)];
      const float* from = widths[i].weight.data() +
                          static_cast<size_t>(filter) * inputs * static_cast<size_t>(kCnnWidths[i]);
      for (size_t d = 0; d < inputs; ++d)
        for (int offset = 0; offset < kCnnWidths[i]; ++offset) {
          const int column = filter / lanes * kCnnOffsets + first + offset;
          const size_t group = static_cast<size_t>(column / columns) * inputs + d;
          const size_t vector =
              group * static_cast<size_t>(columns) + static_cast<size_t>(column % columns);
          weights_.as<float>()[vector * static_cast<size_t>(lanes) +
                               static_cast<size_t>(filter % lanes)] = *from++;
        }
    }
}

void CnnFilters::make_row(std::span<const float> vector, float* row) const {
  if (vector.size() != static_cast<size_t>(shape_.inputs))
    throw std::logic_error("CnnFilters: a vector of another dimension");
  std::fill_n(row, row_size(), 0.0f);
  kernel_of(isa_).make_row(shape_, vector.data(), row);
}

void CnnFilters::run(const CnnTexts& texts, AlignedBytes& scratch) const {
  const CnnKernel& kernel = kernel_of(isa_);
  scratch.reserve(kernel.scratch_bytes(texts.count));
  kernel.run(shape_, texts, scratch.data());
}

}  // namespace textcrs
