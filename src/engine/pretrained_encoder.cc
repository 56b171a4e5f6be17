#include "engine/pretrained_encoder.h"

#include <fmt/format.h>

#include "model/fingerprint.h"
#include "model/tensors.h"
#include "textcrs/base/spec.h"

namespace textcrs {

PretrainedEncoder::PretrainedEncoder(const PretrainedBert& source, Isa isa, Precision precision)
    : wordpiece_(source.wordpiece()), vectors_(source.vectors()) {
  source.describe(config_);
  Weights weights;
  for (const auto& list : {bert_embedding_tensors(config_), bert_encoder_tensors(config_)})
    for (const TensorSpec& tensor : list) weights[tensor.name] = source.tensor(tensor);
  encoder_ = std::make_unique<CpuBertEncoder>(
      config_,
      [&](const std::string& name) -> const std::vector<float>& { return weights.at(name).values; },
      isa, precision);

  Fingerprint print;
  print.add(fmt::format("{} {} {} {} {} {}", config_.dimension, config_.hidden, config_.bert.layers,
                        config_.bert.heads, config_.bert.positions,
                        shortest(config_.bert.epsilon)));
  print.add(*wordpiece_);
  print.add(kPieceEmbedding, vectors_);
  for (const auto& [name, tensor] : weights) print.add(name, tensor);
  fingerprint_ = print.text();
}

void PretrainedEncoder::add(std::span<const int32_t> pieces, Work& work) const {
  for (const int32_t piece : pieces)
    encoder_->add_row(vectors_.values.data() + static_cast<size_t>(piece) * width(), work);
  encoder_->end_sequence(work);
}

}  // namespace textcrs
