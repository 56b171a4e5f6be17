// A BERT with random weights, small enough for tests, and its folder as Hugging Face writes it.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "model/tensors.h"
#include "textcrs/model/classifier.h"
#include "textcrs/text/wordpiece.h"

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
  Weights tensors() const {
    const ModelConfig c = config();
    Weights all = {{kPieceEmbedding,
                    random(kPieceEmbedding, {static_cast<int64_t>(pieces.size()), width}, 1)}};
    for (const auto& list :
         {bert_embedding_tensors(c), bert_encoder_tensors(c), bert_pooler_tensors(c)})
      for (const TensorSpec& spec : list) {
        FloatTensor& tensor = all[spec.name] = random(spec.name, spec.shape, 0.5);
        if (spec.name.ends_with("LayerNorm.weight"))
          for (float& x : tensor.values) x += 1;
      }
    return all;
  }

  // A classifier on these tensors, whose head is as large as they are.
  std::unique_ptr<Classifier> classifier(const std::vector<std::string>& words,
                                         const ModelConfig& config) const {
    Weights weights = tensors();
    for (const TensorSpec& spec : bert_tensors(config))
      if (!weights.contains(spec.name)) weights[spec.name] = random(spec.name, spec.shape, 0.5);
    return std::make_unique<Classifier>(config, Vocabulary(words, Vocabulary::Growth::kOpen),
                                        SynonymTable(), std::move(weights),
                                        std::make_shared<WordPiece>(pieces));
  }
  std::unique_ptr<Classifier> classifier(const std::vector<std::string>& words) const {
    return classifier(words, config());
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
    Weights named;
    for (const auto& [name, tensor] : tensors()) named[prefix + name] = tensor;
    save_weights(folder / "model.safetensors", named);
  }

 private:
  FloatTensor random(const std::string& name, std::vector<int64_t> shape, double bound) const {
    return fresh_tensor({.name = name, .shape = std::move(shape), .bound = bound}, seed);
  }
};

}  // namespace textcrs
