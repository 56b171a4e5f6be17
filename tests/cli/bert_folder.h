// A tiny pretrained BERT with random weights, as Hugging Face's library would write it.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "textcrs/base/stream.h"
#include "workspace.h"

namespace textcrs::cli_test {

class BertFolder {
 public:
  static constexpr int kWidth = 16, kInner = 24, kPositions = 40;

  // A folder of that name in the workspace, and its path.
  static std::string write(const std::string& name) {
    std::filesystem::create_directories(workspace().path(name));
    workspace().write(name + "/config.json",
                      fmt::format(R"({{"model_type": "bert", "hidden_size": {}, )"
                                  R"("intermediate_size": {}, "num_hidden_layers": 2, )"
                                  R"("num_attention_heads": 2, "max_position_embeddings": {}}})",
                                  kWidth, kInner, kPositions));
    std::string vocabulary;
    for (const std::string& piece : pieces()) vocabulary += piece + "\n";
    workspace().write(name + "/vocab.txt", vocabulary);
    workspace().write(name + "/model.safetensors", BertFolder().tensors());
    return workspace().path(name);
  }

 private:
  // The words of the workspace's texts and every letter: "goods" is two pieces, "42" is unknown.
  static std::vector<std::string> pieces() {
    std::vector<std::string> list = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "."};
    for (char c = 'a'; c <= 'z'; ++c) {
      list.push_back(std::string(1, c));
      list.push_back("##" + std::string(1, c));
    }
    for (const std::string& line : lines_of(read(workspace().vectors())))
      list.push_back(line.substr(0, line.find(' ')));
    return list;
  }

  void add(const std::string& name, const std::vector<int>& shape) {
    size_t size = 1;
    for (const int side : shape) size *= static_cast<size_t>(side);
    const bool is_gain = name.ends_with("LayerNorm.weight");
    Stream stream(3, static_cast<uint32_t>(header_.size()), 0);
    const size_t begin = data_.size();
    for (size_t i = 0; i < size; ++i) {
      const auto value = static_cast<float>(stream.uniform() - 0.5) + (is_gain ? 1.0f : 0.0f);
      data_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    header_[name] = {{"dtype", "F32"}, {"shape", shape}, {"data_offsets", {begin, data_.size()}}};
  }
  void add_dense(const std::string& name, int outputs, int inputs) {
    add(name + ".weight", {outputs, inputs});
    add(name + ".bias", {outputs});
  }
  void add_norm(const std::string& name) {
    add(name + ".weight", {kWidth});
    add(name + ".bias", {kWidth});
  }

  std::string tensors() {
    add("embeddings.word_embeddings.weight", {static_cast<int>(pieces().size()), kWidth});
    add("embeddings.position_embeddings.weight", {kPositions, kWidth});
    add("embeddings.token_type_embeddings.weight", {2, kWidth});
    add_norm("embeddings.LayerNorm");
    for (const std::string layer : {"encoder.layer.0.", "encoder.layer.1."}) {
      for (const char* part : {"query", "key", "value"})
        add_dense(layer + "attention.self." + part, kWidth, kWidth);
      add_dense(layer + "attention.output.dense", kWidth, kWidth);
      add_norm(layer + "attention.output.LayerNorm");
      add_dense(layer + "intermediate.dense", kInner, kWidth);
      add_dense(layer + "output.dense", kWidth, kInner);
      add_norm(layer + "output.LayerNorm");
    }
    add_dense("pooler.dense", kWidth, kWidth);
    const std::string header = header_.dump();
    const uint64_t size = header.size();
    return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header + data_;
  }

  nlohmann::ordered_json header_;
  std::string data_;
};

}  // namespace textcrs::cli_test
