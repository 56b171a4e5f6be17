#include "engine/cpu_slot_map.h"

#include <algorithm>

#include "engine/cpu_model.h"
#include "model/slot_map.h"

namespace textcrs {
namespace {

constexpr size_t kRowsAtATime = 128;  // their hidden units stay in the L2 cache

Dense make_dense(const Classifier& classifier, Isa isa, Precision precision, const char* weight,
                 const char* bias) {
  const std::vector<int64_t>& shape = classifier.weights().at(weight).shape;
  return Dense(precision == Precision::kFp32 ? fp32_isa(isa) : isa, precision,
               static_cast<int>(shape[0]), static_cast<int>(shape[1]),
               values_of(classifier, weight), values_of(classifier, bias));
}

}  // namespace

CpuSlotMap::CpuSlotMap(const Classifier& classifier, Isa isa, Precision precision)
    : dimension_(static_cast<size_t>(classifier.config().dimension)) {
  const ModelConfig& config = classifier.config();
  if (config.noise_mean) mean_ = values_of(classifier, kNoiseMean);
  if (config.reconstruction == 0) return;
  encoder_.emplace(make_dense(classifier, isa, precision, kEncoderWeight, kEncoderBias));
  decoder_.emplace(make_dense(classifier, isa, precision, kDecoderWeight, kDecoderBias));
}

void CpuSlotMap::apply(std::span<float> rows, Work& work) const {
  if (!mean_.empty())
    for (size_t begin = 0; begin < rows.size(); begin += dimension_)
      for (size_t d = 0; d < dimension_; ++d) rows[begin + d] += mean_[d];
  if (!encoder_) return;
  const auto units = static_cast<size_t>(encoder_->outputs());
  const size_t count = rows.size() / dimension_;
  work.hidden.resize(std::min(count, kRowsAtATime) * units);
  for (size_t first = 0; first < count; first += kRowsAtATime) {
    const size_t some = std::min(kRowsAtATime, count - first);
    float* const vectors = rows.data() + first * dimension_;
    encoder_->run({.rows = static_cast<int>(some),
                   .input = vectors,
                   .input_stride = static_cast<std::ptrdiff_t>(dimension_),
                   .output = work.hidden.data(),
                   .output_stride = static_cast<std::ptrdiff_t>(units)},
                  work.scratch);
    for (size_t i = 0; i < some * units; ++i) work.hidden[i] = std::max(work.hidden[i], 0.0f);
    decoder_->run({.rows = static_cast<int>(some),
                   .input = work.hidden.data(),
                   .input_stride = static_cast<std::ptrdiff_t>(units),
                   .output = vectors,
                   .output_stride = static_cast<std::ptrdiff_t>(dimension_)},
                  work.scratch);
  }
}

}  // namespace textcrs
