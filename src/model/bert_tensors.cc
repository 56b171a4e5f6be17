// The names and shapes of BERT's tensors, and what they begin with.
#include <string>

#include "bert.h"

namespace textcrs {
namespace {

constexpr double kBound = 0.0346;  // as spread out as N(0, 0.02^2)

void add_dense(std::vector<BertTensor>& list, const std::string& name, int64_t outputs,
               int64_t inputs) {
  list.push_back({name + ".weight", {outputs, inputs}, kBound});
  list.push_back({name + ".bias", {outputs}, 0});
}

void add_norm(std::vector<BertTensor>& list, const std::string& name, int64_t width) {
  list.push_back({name + ".weight", {width}, 0});
  list.push_back({name + ".bias", {width}, 0});
}

}  // namespace

std::vector<BertTensor> bert_embedding_tensors(const ModelConfig& config) {
  std::vector<BertTensor> list = {
      {"embeddings.position_embeddings.weight", {config.bert.positions, config.dimension}, kBound},
      {"embeddings.token_type_embeddings.weight", {2, config.dimension}, kBound}};
  add_norm(list, "embeddings.LayerNorm", config.dimension);
  return list;
}

std::vector<BertTensor> bert_encoder_tensors(const ModelConfig& config) {
  const int64_t width = config.dimension, inner = config.hidden;
  std::vector<BertTensor> list;
  for (int layer = 0; layer < config.bert.layers; ++layer) {
    const std::string prefix = "encoder.layer." + std::to_string(layer) + ".";
    for (const char* part : {"query", "key", "value"})
      add_dense(list, prefix + "attention.self." + part, width, width);
    add_dense(list, prefix + "attention.output.dense", width, width);
    add_norm(list, prefix + "attention.output.LayerNorm", width);
    add_dense(list, prefix + "intermediate.dense", inner, width);
    add_dense(list, prefix + "output.dense", width, inner);
    add_norm(list, prefix + "output.LayerNorm", width);
  }
  return list;
}

std::vector<BertTensor> bert_pooler_tensors(const ModelConfig& config) {
  std::vector<BertTensor> list;
  add_dense(list, "pooler.dense", config.dimension, config.dimension);
  return list;
}

at::Tensor initial_values(const BertTensor& tensor, const Initializer& initial) {
  at::Tensor values = initial.make(tensor.name, tensor.shape, tensor.bound);
  if (initial.is_fresh() && tensor.name.ends_with("LayerNorm.weight")) values.fill_(1);
  return values;
}

}  // namespace textcrs
