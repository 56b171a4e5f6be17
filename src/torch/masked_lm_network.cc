#include "torch/masked_lm_network.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/masked_lm_head.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

// True if the checkpoint has the head. One in parts, or one that is not tied, is refused.
bool holds_head(const std::filesystem::path& folder, const PretrainedBert& source,
                const FloatTensor& vectors, const ModelConfig& config) {
  const std::vector<std::string> missing = missing_of_masked_lm(source);
  const size_t all = masked_lm_tensors(config).size() + 1;
  if (!missing.empty() && missing.size() < all)
    throw bad_input(fmt::format("{}: tensor '{}' is missing, expected the whole head or nothing",
                                folder.string(), missing[0]));
  check_tied(folder, source, vectors);
  return missing.empty();
}

}  // namespace

MaskedLmNetwork::MaskedLmNetwork(const std::filesystem::path& folder, const PretrainedBert& source,
                                 const at::Device& device)
    : wordpiece_(source.wordpiece()) {
  source.describe(config_);
  const FloatTensor vectors = source.vectors();
  Weights weights = {{kPieceEmbedding, vectors}};
  for (const auto& list :
       {bert_embedding_tensors(config_), bert_encoder_tensors(config_), masked_lm_tensors(config_)})
    for (const TensorSpec& tensor : list) weights[tensor.name] = source.tensor(tensor);
  const int64_t pieces = vectors.shape[0];
  weights[kMaskedLmBias] =
      holds_head(folder, source, vectors, config_)
          ? source.piece_rows(kMaskedLmBias)
          : FloatTensor{{pieces}, std::vector<float>(static_cast<size_t>(pieces))};
  for (const auto& [name, tensor] : weights)
    parameters_[name] = to_tensor(tensor).to(device).set_requires_grad(true);

  const std::vector<TensorSpec> pooler = bert_pooler_tensors(config_);
  if (std::all_of(pooler.begin(), pooler.end(),
                  [&](const TensorSpec& tensor) { return source.holds(tensor.name); }))
    for (const TensorSpec& tensor : pooler) pooler_[tensor.name] = to_tensor(source.tensor(tensor));
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
  const std::string dense = kMaskedLmDense, norm = kMaskedLmNorm;
  const at::Tensor asked =
      states.index_select(0, at::tensor(rows.places, at::kLong).to(device()));  // (M, D)
  const at::Tensor inner =
      at::gelu(at::linear(asked, head(dense + ".weight"), head(dense + ".bias")));
  const at::Tensor normal = at::layer_norm(inner, {inner.size(1)}, head(norm + ".weight"),
                                           head(norm + ".bias"), config_.bert.epsilon);
  return at::linear(normal, head(kPieceEmbedding), head(kMaskedLmBias)).to(at::kFloat);
}

}  // namespace textcrs
