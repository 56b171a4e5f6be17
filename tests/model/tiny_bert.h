// A BERT with random weights, small enough for tests, and its folder as Hugging Face writes it.
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/bert.h"
#include "model/tensor_bytes.h"

namespace textcrs {

struct TinyBert {
  int layers = 2, heads = 2, width = 16, inner = 32, positions = 24;
  // Every letter alone and behind another, and some words: "film" is one piece, "films" are two.
  std::vector<std::string> pieces = default_pieces();
  uint64_t seed = 1;

  static std::vector<std::string> default_pieces() {
    std::vector<std::string> list = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
    for (char c = 'a'; c <= 'z'; ++c) {
      list.push_back(std::string(1, c));
      list.push_back("##" + std::string(1, c));
    }
    for (const char* word : {"a", "good", "bad", "film", "very", "dull", "warm", "story", "the",
                             "of", "and", ",", ".", "!"})
      if (std::find(list.begin(), list.end(), word) == list.end()) list.emplace_back(word);
    return list;
  }

  ModelConfig config() const {
    ModelConfig config;
    config.architecture = "bert";
    config.dimension = width;
    config.hidden = inner;
    config.bert = {.layers = layers, .heads = heads, .positions = positions};
    config.slots = 12;
    config.dropout = 0.1;
    config.input_dropout = 0;
    config.classes = {"negative", "positive"};
    return config;
  }

  // All tensors of the encoder by their names, larger than fresh ones are, so that they matter.
  std::map<std::string, at::Tensor> tensors() const {
    const FreshInitializer fresh(seed);
    std::map<std::string, at::Tensor> all;
    const ModelConfig c = config();
    all[kPieceEmbedding] =
        fresh.make(kPieceEmbedding, {static_cast<int64_t>(pieces.size()), width}, 1.0);
    for (const auto& list :
         {bert_embedding_tensors(c), bert_encoder_tensors(c), bert_pooler_tensors(c)})
      for (const BertTensor& tensor : list) {
        all[tensor.name] = fresh.make(tensor.name, tensor.shape, 0.5);
        if (tensor.name.ends_with("LayerNorm.weight")) all[tensor.name] += 1;
      }
    return all;
  }

  std::string config_json() const {
    return "{\"model_type\": \"bert\", \"hidden_act\": \"gelu\", \"hidden_size\": " +
           std::to_string(width) + ", \"intermediate_size\": " + std::to_string(inner) +
           ", \"num_hidden_layers\": " + std::to_string(layers) +
           ", \"num_attention_heads\": " + std::to_string(heads) +
           ", \"max_position_embeddings\": " + std::to_string(positions) +
           ", \"type_vocab_size\": 2, \"layer_norm_eps\": 1e-12, \"vocab_size\": " +
           std::to_string(pieces.size()) + "}\n";
  }

  // config.json, model.safetensors (F32) and vocab.txt; `prefix` in front of the tensors' names.
  void write(const std::filesystem::path& folder, const std::string& prefix = "") const {
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "config.json") << config_json();
    std::ofstream vocabulary(folder / "vocab.txt");
    for (const std::string& piece : pieces) vocabulary << piece << "\n";
    std::map<std::string, at::Tensor> named;
    for (const auto& [name, tensor] : tensors()) named[prefix + name] = tensor;
    save_tensors(folder / "model.safetensors", named);
  }
};

}  // namespace textcrs
