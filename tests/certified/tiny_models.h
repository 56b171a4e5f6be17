// Models for the tests of certified classifiers: random, and large enough to disagree with itself
// on noisy copies.
#pragma once

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "text/temporary_folder.h"
#include "textcrs/base/stream.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

// Reads words with vectors: w0 .. w19 are the ids 3 .. 22. Noise on vectors makes it pool over
// all slots.
inline std::unique_ptr<Classifier> tiny_cnn(const std::string& noise, SynonymTable synonyms = {},
                                            uint64_t seed = 2) {
  const TemporaryFolder folder;
  std::vector<std::string> words;
  {
    std::ofstream out(folder.path() / "vectors.txt");
    std::vector<float> vector(6);
    for (uint32_t i = 0; i < 20; ++i) {
      words.push_back("w" + std::to_string(i));
      Stream(5, i, 0).normals(vector);
      out << words.back();
      for (float x : vector) out << ' ' << x;
      out << '\n';
    }
  }
  convert_glove_text(folder.path() / "vectors.txt", folder.path() / "cache");
  ModelConfig config;
  config.architecture = "cnn";
  config.hidden = 9;
  config.slots = 12;
  config.classes = {"no", "yes", "maybe"};
  config.noise = noise;
  config.pool_all_slots = noise.starts_with("insert") || noise.starts_with("gaussian");
  return Classifier::fresh(config, Vocabulary(words), std::move(synonyms),
                           WordVectors::open(folder.path() / "cache"), seed);
}

// Reads every word, in pieces; its vocabulary holds "good", "bad", "film" and "story".
inline std::unique_ptr<Classifier> tiny_bert(const std::string& noise, uint64_t seed = 8) {
  const TemporaryFolder folder;
  ModelConfig config;
  config.architecture = "bert";
  config.dimension = 16;
  config.hidden = 32;
  config.bert = {.layers = 1, .heads = 2, .positions = 32};
  config.slots = 12;
  config.classes = {"no", "yes"};
  config.noise = noise;
  config.pool_all_slots = noise.starts_with("insert") || noise.starts_with("gaussian");
  std::vector<std::string> pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};
  for (char c = 'a'; c <= 'z'; ++c)
    for (const char* front : {"", "##"}) pieces.push_back(front + std::string(1, c));
  const std::vector<std::string> words = {"good", "bad", "film", "story"};
  pieces.insert(pieces.end(), words.begin(), words.end());
  {
    std::ofstream list(folder.path() / "vocab.txt");
    for (const std::string& piece : pieces) list << piece << '\n';
  }
  std::ofstream(folder.path() / "config.json")
      << R"({"model_type": "bert", "hidden_act": "gelu", "hidden_size": 16,
             "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2,
             "max_position_embeddings": 32, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
             "vocab_size": )"
      << pieces.size() << "}\n";
  const Architecture& kind = config.kind();
  std::vector<TensorSpec> tensors = kind.tensors(config);
  std::erase_if(tensors, [](const TensorSpec& spec) { return spec.name.starts_with("head"); });
  tensors.push_back({.name = kind.embedding, .shape = {static_cast<int64_t>(pieces.size()), 16}});
  Weights weights;
  for (TensorSpec& spec : tensors) {
    spec.bound = spec.shape.size() > 1 ? 0.7 : spec.bound;
    weights[spec.name] = fresh_tensor(spec, 3);
  }
  save_weights(folder.path() / "model.safetensors", weights);
  return Classifier::from_bert(config, Vocabulary(words, Vocabulary::Growth::kOpen), {},
                               folder.path(), seed);
}

inline std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

}  // namespace textcrs
