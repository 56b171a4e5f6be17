#include "torch/bert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "textcrs/base/hash.h"

namespace textcrs {
namespace {

// A GPU runs a batch in parts of about so many words: enough to keep it busy, and a bound on the
// memory for what lies between the layers.
constexpr size_t kWordsAtATime = size_t{1} << 18;

}  // namespace

at::Tensor embed_rows(const at::Tensor& vectors, const PackedRows& packed,
                      const TensorOf& tensor_of, double epsilon, at::ScalarType type) {
  at::Tensor positions = at::empty({packed.rows()}, at::kLong);
  for (size_t b = 0; b + 1 < packed.starts.size(); ++b)
    for (int32_t row = packed.starts[b]; row < packed.starts[b + 1]; ++row)
      positions.data_ptr<int64_t>()[row] = row - packed.starts[b];
  const at::Tensor sum = vectors +
                         tensor_of("embeddings.position_embeddings.weight")
                             .index_select(0, send(positions, vectors.device())) +
                         tensor_of("embeddings.token_type_embeddings.weight").narrow(0, 0, 1);
  return at::layer_norm(sum, {sum.size(1)}, tensor_of("embeddings.LayerNorm.weight"),
                        tensor_of("embeddings.LayerNorm.bias"), epsilon)
      .to(type);
}

std::vector<BertLayer> make_bert_layers(const ModelConfig& config, const TensorOf& tensor_of,
                                        at::ScalarType type) {
  std::vector<BertLayer> layers;
  for (int layer = 0; layer < config.bert.layers; ++layer)
    layers.push_back(make_bert_layer(layer, tensor_of, type));
  return layers;
}

at::Tensor run_bert(at::Tensor states, const PackedRows& packed,
                    const std::vector<BertLayer>& layers, const BertShape& shape, bool first_only,
                    HiddenDropout* dropout) {
  if (dropout != nullptr) states = (*dropout)(states);
  for (const BertLayer& layer : layers)
    states = run_bert_layer(layer, shape, states, packed, first_only && &layer == &layers.back(),
                            dropout);
  return states;
}

Bert::Bert(const Classifier& classifier, const at::Device& device)
    : Network(classifier, device), pieces_(classifier.pieces()) {}

at::ScalarType Bert::type() const {
  return vectors().is_cuda() && config().precision == Precision::kBf16 ? at::kBFloat16 : at::kFloat;
}

at::Tensor Bert::tensor(const std::string& name) const {
  const auto trained = parameters().find(name);
  return trained != parameters().end() ? trained->second : frozen().at(name);
}

std::shared_ptr<const Bert::Prepared> Bert::prepared() const {
  uint64_t version = 1;
  for (const auto& [name, parameter] : parameters()) version += parameter._version();
  const std::scoped_lock lock(preparing_);
  if (prepared_ == nullptr || prepared_->version != version)
    prepared_ = std::make_shared<Prepared>(Prepared{
        version, make_bert_layers(
                     config(), [this](const std::string& name) { return tensor(name); }, type())});
  return prepared_;
}

Bert::Rows Bert::look_up(const CopyView& copies) const {
  PieceSequences sequences =
      make_sequences(copies, pieces_, config().slots, config().bert.positions);
  const at::Tensor pieces = send(at::tensor(sequences.pieces, at::kInt), device());
  return {vectors().index_select(0, pieces),
          make_packed_rows(std::move(sequences.starts), sequences.longest, device())};
}

// A row per slot between [CLS] and [SEP], PAD included, and the Gaussian with its mean on all
// slots.
Bert::Rows Bert::look_up_slots(const CopyView& copies) const {
  const auto slots = static_cast<int64_t>(config().slots);
  std::vector<int32_t> pieces;
  std::vector<int64_t> bags, lengths;
  std::vector<int32_t> starts = {0};
  const auto begin_row = [&] { bags.push_back(static_cast<int64_t>(pieces.size())); };
  for (size_t b = 0; b < copies.size(); ++b) {
    const std::vector<WordId>& copy = copies.copies[b];
    const int64_t length = std::min(slots, static_cast<int64_t>(copy.size()));
    begin_row();
    pieces.push_back(pieces_.wordpiece().cls());
    for (int64_t t = 0; t < length; ++t) {
      begin_row();
      if (copy[t] != kPad) pieces_.append(copy[t], copies.own_of(b), pieces);
    }
    begin_row();
    pieces.push_back(pieces_.wordpiece().sep());
    lengths.push_back(length);
    starts.push_back(static_cast<int32_t>(bags.size()));
  }
  constexpr int64_t kMean = 1;
  at::Tensor rows = std::get<0>(
      at::embedding_bag(vectors(), send(at::tensor(pieces, at::kInt).to(at::kLong), device()),
                        send(at::tensor(bags, at::kLong), device()),
                        /*scale_grad_by_freq=*/false, kMean));
  add_gaussian(copies, lengths, rows, [&](size_t b, int64_t t) { return starts[b] + 1 + t; });
  if (config().noise_mean) {
    at::Tensor slot = at::zeros({rows.size(0), 1}, at::kFloat);
    for (size_t b = 0; b < copies.size(); ++b)
      std::fill_n(slot.data_ptr<float>() + starts[b] + 1, lengths[b], 1.0f);
    rows = at::where(send(slot, device()) > 0, slot_map()(rows), rows);
  }
  const int64_t longest = *std::max_element(lengths.begin(), lengths.end()) + 2;
  return {rows, make_packed_rows(std::move(starts), static_cast<int>(longest), device())};
}

at::Tensor Bert::forward(const CopyView& batch, const TrainingStep* training) const {
  const bool by_slots = config().pool_all_slots;
  if (batch.sigma > 0 && !by_slots)
    throw std::logic_error("Bert: a Gaussian needs a model with pool_all_slots");
  const bool whole = training != nullptr || !vectors().is_cuda();
  const size_t copies = batch.size();
  std::vector<at::Tensor> pooled;
  for (size_t begin = 0, end = 0; begin < copies; begin = end) {
    size_t words = 0;
    for (; end < copies && (whole || words < kWordsAtATime); ++end)
      words += std::min(batch.copies[end].size(), static_cast<size_t>(config().slots)) + 2;
    const CopyView some = batch.part(begin, end - begin);
    pooled.push_back(pool(by_slots ? look_up_slots(some) : look_up(some), training));
  }
  return head(at::cat(pooled), training);
}

at::Tensor Bert::pool(const Rows& rows, const TrainingStep* training) const {
  std::optional<HiddenDropout> dropout;
  if (training != nullptr && config().dropout > 0)
    dropout.emplace(config().dropout,
                    fnv1a(fmt::format("{} {} {}", training->seed, training->step, training->part)),
                    vectors().device());
  const TensorOf tensor_of = [this](const std::string& name) { return tensor(name); };
  const std::shared_ptr<const Prepared> kept = at::GradMode::is_enabled() ? nullptr : prepared();
  const std::vector<BertLayer> layers =
      kept != nullptr ? kept->layers : make_bert_layers(config(), tensor_of, type());
  const at::Tensor states = run_bert(
      embed_rows(rows.vectors, rows.packed, tensor_of, config().bert.epsilon, type()), rows.packed,
      layers, config().bert, /*first_only=*/true, dropout ? &*dropout : nullptr);
  return at::tanh(at::linear(states.to(at::kFloat), parameter("pooler.dense.weight"),
                             parameter("pooler.dense.bias")));
}

std::unique_ptr<Network> make_bert(const Classifier& classifier, const at::Device& device) {
  return std::make_unique<Bert>(classifier, device);
}

}  // namespace textcrs
