#include "kernels/lstm.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "kernels/bf16.h"

namespace textcrs {
namespace {

constexpr double kLog2E = std::numbers::log2e;
constexpr double kGateScale[4] = {-kLog2E, -kLog2E, -2 * kLog2E, -kLog2E};

const LstmKernel& kernel_of(Isa isa) {
  switch (isa) {
    case Isa::kPortable:
      return lstm_portable();
#if defined(__x86_64__)
    case Isa::kAvx2:
      return lstm_avx2();
    case Isa::kAvx512:
      return lstm_avx512();
    case Isa::kAvx512Bf16:
      return lstm_avx512_bf16();
    case Isa::kAmx:
      return lstm_amx();
#endif
    default:
      throw std::logic_error("Lstm: this build has no kernel for the ISA");
  }
}

int round_up(int n, int multiple) { return (n + multiple - 1) / multiple * multiple; }

}  // namespace

Lstm::Lstm(Isa isa, Precision precision, int units, std::span<const float> weight_hh,
           std::span<const float> weight_ih)
    : Lstm(kernel_of(isa), precision, units, weight_hh, weight_ih) {}

Lstm::Lstm(const LstmKernel& kernel, Precision precision, int units,
           std::span<const float> weight_hh, std::span<const float> weight_ih)
    : kernel_(&kernel) {
  const auto gates = static_cast<size_t>(4 * units);
  if (units < 1 || weight_hh.size() != gates * static_cast<size_t>(units) ||
      weight_ih.size() % gates != 0)
    throw std::logic_error("Lstm: weights of another shape");
  if (kernel.terms_at_a_time > 1 && precision == Precision::kFp32)
    throw std::logic_error("Lstm: the kernel computes in bf16 only");
  shape_.units = units;
  shape_.inputs = static_cast<int>(weight_ih.size() / gates);
  shape_.lanes = kernel.lanes;
  shape_.padded = round_up(units, kernel.lanes);
  shape_.round_to_bf16 = precision == Precision::kBf16;
  shape_.hidden_terms = round_up(units, kernel.terms_at_a_time);
  shape_.input_terms = round_up(shape_.inputs, kernel.terms_at_a_time);
  pack(weight_hh, weight_ih);
}

void Lstm::pack(std::span<const float> weight_hh, std::span<const float> weight_ih) {
  const bool pairs = kernel_->terms_at_a_time > 1;
  const int terms = shape_.hidden_terms + shape_.input_terms;
  const size_t count = static_cast<size_t>(shape_.padded) * 4 * static_cast<size_t>(terms);
  packed_.reserve(count * (pairs ? sizeof(uint16_t) : sizeof(float)));
  shape_.weights = packed_.data();
  for (int unit = 0; unit < shape_.padded; ++unit)
    for (int gate = 0; gate < 4; ++gate)
      for (int term = 0; term < terms; ++term) {
        const bool of_hidden = term < shape_.hidden_terms;
        const int column = of_hidden ? term : term - shape_.hidden_terms;
        const int columns = of_hidden ? shape_.units : shape_.inputs;
        float weight = 0;
        if (unit < shape_.units && column < columns) {
          const auto source = of_hidden ? weight_hh : weight_ih;
          weight = static_cast<float>(kGateScale[gate] *
                                      source[static_cast<size_t>(gate * shape_.units + unit) *
                                                 static_cast<size_t>(columns) +
                                             static_cast<size_t>(column)]);
        }
        const int block = unit / shape_.lanes, lane = unit % shape_.lanes;
        const auto at = [&](int row, int width) {
          return ((static_cast<size_t>(block) * static_cast<size_t>(terms / width) +
                   static_cast<size_t>(row)) *
                      4 +
                  static_cast<size_t>(gate)) *
                     static_cast<size_t>(shape_.lanes) +
                 static_cast<size_t>(lane);
        };
        if (pairs)
          packed_.as<uint16_t>()[at(term / 2, 2) * 2 + static_cast<size_t>(term % 2)] =
              to_bf16(weight);
        else
          packed_.as<float>()[at(term, 1)] =
              shape_.round_to_bf16 ? rounded_to_bf16(weight) : weight;
      }
}

void Lstm::make_row(std::span<const float> gates, float* row) const {
  if (gates.size() != static_cast<size_t>(4 * shape_.units))
    throw std::logic_error("Lstm: pre-activations of another shape");
  std::fill_n(row, row_size(), 0.0f);
  for (int gate = 0; gate < 4; ++gate)
    for (int unit = 0; unit < shape_.units; ++unit)
      row[(unit / shape_.lanes * 4 + gate) * shape_.lanes + unit % shape_.lanes] =
          static_cast<float>(kGateScale[gate] *
                             gates[static_cast<size_t>(gate * shape_.units + unit)]);
}

size_t Lstm::record_bytes() const { return (kernel_->record_bytes(shape_) + 63) / 64 * 64; }

const float* Lstm::maxima_in(const std::byte* record) const {
  return reinterpret_cast<const float*>(record + kernel_->record_bytes(shape_)) - shape_.padded;
}

void Lstm::run(const LstmSequences& sequences, AlignedBytes& scratch) const {
  if (sequences.count == 0) return;
  for (int k = 0; k < sequences.count; ++k)
    if (sequences.lengths[k] < 1 || (k > 0 && sequences.lengths[k] > sequences.lengths[k - 1]))
      throw std::logic_error("Lstm: lengths have to fall and to be 1 at least");
  const int last = sequences.lengths[sequences.count - 1];
  if (sequences.first < 0 || last <= sequences.first ||
      (sequences.first > 0 && sequences.starts == nullptr) ||
      (sequences.ends != nullptr && last != sequences.lengths[0]))
    throw std::logic_error("Lstm: no record to go on from, or records of different lengths");
  if (shape_.inputs > 0 && sequences.input == nullptr)
    throw std::logic_error("Lstm: a layer with inputs is run without");
  scratch.reserve(kernel_->scratch_bytes(shape_, sequences.count));
  kernel_->run(shape_, sequences, scratch.data());
}

}  // namespace textcrs
