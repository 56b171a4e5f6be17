#include "masked_lm_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr const char* kDense = "cls.predictions.transform.dense";
constexpr const char* kNorm = "cls.predictions.transform.LayerNorm";
constexpr const char* kBias = "cls.predictions.bias";
constexpr const char* kDecoder = "cls.predictions.decoder.weight";

// True if the checkpoint has the head. One in parts, or one that is not tied, is refused.
bool holds_head(const std::filesystem::path& folder, const PretrainedBert& source,
                const at::Tensor& vectors, const ModelConfig& config) {
  std::vector<std::string> names = {kBias};
  for (const BertTensor& tensor : masked_lm_tensors(config)) names.push_back(tensor.name);
  const auto is_held = [&](const std::string& name) { return source.holds(name); };
  const auto missing = std::find_if_not(names.begin(), names.end(), is_held);
  if (missing != names.end() && std::any_of(names.begin(), names.end(), is_held))
    throw bad_input(fmt::format("{}: tensor '{}' is missing, expected the whole head or nothing",
                                folder.string(), *missing));
  if (source.holds(kDecoder) && !at::equal(source.piece_rows(kDecoder, vectors.size(1)), vectors))
    throw bad_input(fmt::format("{}: tensor '{}' differs from '{}', expected tied weights",
                                folder.string(), kDecoder, kPieceEmbedding));
  return missing == names.end();
}

}  // namespace

std::vector<BertTensor> masked_lm_tensors(const ModelConfig& config) {
  const double bound = bert_pooler_tensors(config).front().bound;
  const int64_t width = config.dimension;
  const std::string dense = kDense, norm = kNorm;
  return {{dense + ".weight", {width, width}, bound},
          {dense + ".bias", {width}, 0},
          {norm + ".weight", {width}, 0},
          {norm + ".bias", {width}, 0}};
}

MaskedLmNetwork::MaskedLmNetwork(const std::filesystem::path& folder, const PretrainedBert& source,
                                 const at::Device& device)
    : wordpiece_(source.wordpiece()) {
  source.describe(config_);
  const at::Tensor vectors = source.vectors();
  parameters_[kPieceEmbedding] = vectors;
  for (const auto& list :
       {bert_embedding_tensors(config_), bert_encoder_tensors(config_), masked_lm_tensors(config_)})
    for (const BertTensor& tensor : list)
      parameters_[tensor.name] = source.make(tensor.name, tensor.shape, tensor.bound);
  if (holds_head(folder, source, vectors, config_)) {
    parameters_[kBias] = source.piece_rows(kBias);
  } else {
    parameters_[kBias] = at::zeros({vectors.size(0)}, at::kFloat);
    parameters_[std::string(kNorm) + ".weight"].fill_(1);
  }
  for (auto& [name, parameter] : parameters_)
    parameter = parameter.to(device).set_requires_grad(true);

  const std::vector<BertTensor> pooler = bert_pooler_tensors(config_);
  if (std::all_of(pooler.begin(), pooler.end(),
                  [&](const BertTensor& tensor) { return source.holds(tensor.name); }))
    for (const BertTensor& tensor : pooler)
      pooler_[tensor.name] = source.make(tensor.name, tensor.shape, 0);
}

MaskedLmNetwork::Prepared MaskedLmNetwork::prepare(uint64_t version) const {
  const TensorOf tensor_of = [this](const std::string& name) { return parameters_.at(name); };
  Prepared made{version, make_bert_layers(config_, tensor_of, type()), {}};
  for (const auto& [name, parameter] : parameters_)
    if (name.starts_with("cls.") || name == kPieceEmbedding) made.head[name] = parameter.to(type());
  return made;
}

std::shared_ptr<const MaskedLmNetwork::Prepared> MaskedLmNetwork::prepared() const {
  if (at::GradMode::is_enabled()) return std::make_shared<Prepared>(prepare(0));
  uint64_t version = 1;
  for (const auto& [name, parameter] : parameters_) version += parameter._version();
  const std::scoped_lock lock(preparing_);
  if (prepared_ == nullptr || prepared_->version != version)
    prepared_ = std::make_shared<Prepared>(prepare(version));
  return prepared_;
}

at::Tensor MaskedLmNetwork::scores(const MaskedRows& rows, HiddenDropout* dropout) const {
  const TensorOf tensor_of = [this](const std::string& name) { return parameters_.at(name); };
  const std::shared_ptr<const Prepared> ready = prepared();
  const at::Tensor pieces = at::tensor(rows.pieces, at::kInt).to(device());
  const PackedRows packed = make_packed_rows(rows.starts, rows.longest, device());
  const at::Tensor states =
      run_bert(embed_rows(at::embedding(parameters_.at(kPieceEmbedding), pieces), packed, tensor_of,
                          config_.bert.epsilon, type()),
               packed, ready->layers, config_.bert, /*first_only=*/false, dropout);

  const auto head = [&](const std::string& name) { return ready->head.at(name); };
  const std::string dense = kDense, norm = kNorm;
  const at::Tensor asked =
      states.index_select(0, at::tensor(rows.places, at::kLong).to(device()));  // (M, D)
  const at::Tensor inner =
      at::gelu(at::linear(asked, head(dense + ".weight"), head(dense + ".bias")));
  const at::Tensor normal = at::layer_norm(inner, {inner.size(1)}, head(norm + ".weight"),
                                           head(norm + ".bias"), config_.bert.epsilon);
  return at::linear(normal, head(kPieceEmbedding), head(kBias)).to(at::kFloat);
}

void MaskedLmNetwork::assign(const std::string& name, const at::Tensor& values) {
  const at::NoGradGuard no_grad;
  at::Tensor& parameter = parameters_.at(name);
  if (parameter.sizes() != values.sizes())
    throw std::logic_error("MaskedLmNetwork::assign: the shape of " + name + " differs");
  parameter.copy_(values);
}

}  // namespace textcrs
