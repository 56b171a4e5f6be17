#include <string>

#include "model/slot_map.h"
#include "model/tensors.h"

namespace textcrs {
namespace {

constexpr double kBound = 0.0346;  // as spread out as N(0, 0.02^2)

void add_dense(std::vector<TensorSpec>& list, const std::string& name, int64_t outputs,
               int64_t inputs) {
  list.push_back({.name = name + ".weight", .shape = {outputs, inputs}, .bound = kBound});
  list.push_back({.name = name + ".bias", .shape = {outputs}});
}

// A fresh one is the identity.
void add_norm(std::vector<TensorSpec>& list, const std::string& name, int64_t width) {
  list.push_back({.name = name + ".weight", .shape = {width}, .ones_to = width});
  list.push_back({.name = name + ".bias", .shape = {width}});
}

}  // namespace

std::vector<TensorSpec> bert_embedding_tensors(const ModelConfig& config) {
  const int64_t width = config.dimension;
  std::vector<TensorSpec> list = {
      {.name = "embeddings.position_embeddings.weight",
       .shape = {config.bert.positions, width},
       .bound = kBound},
      {.name = "embeddings.token_type_embeddings.weight", .shape = {2, width}, .bound = kBound}};
  add_norm(list, "embeddings.LayerNorm", width);
  for (TensorSpec& tensor : list) tensor.is_trained = false;
  return list;
}

std::vector<TensorSpec> bert_encoder_tensors(const ModelConfig& config) {
  const int64_t width = config.dimension, inner = config.hidden;
  std::vector<TensorSpec> list;
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

std::vector<TensorSpec> bert_pooler_tensors(const ModelConfig& config) {
  std::vector<TensorSpec> list;
  add_dense(list, "pooler.dense", config.dimension, config.dimension);
  return list;
}

std::vector<TensorSpec> bert_tensors(const ModelConfig& config) {
  std::vector<TensorSpec> all;
  for (const auto& list :
       {bert_embedding_tensors(config), bert_encoder_tensors(config), bert_pooler_tensors(config)})
    all.insert(all.end(), list.begin(), list.end());
  add_slot_map(config, all);
  add_head(config, config.dimension, all);
  return all;
}

}  // namespace textcrs
