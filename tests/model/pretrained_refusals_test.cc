// A BERT on disk: whatever does not fit is refused.
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "pretrained_folder.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using SpoiledBert = PretrainedFolder;

TEST_F(SpoiledBert, RefusesAMissingTensor) {
  const Weights all = tiny_.tensors();
  for (const auto& [name, tensor] : all) {
    Weights rest = all;
    rest.erase(name);
    save_weights(weights(), rest);
    expect_refused(weights(), {"'" + name + "' is missing"});  // half a pooler is none
  }
}

TEST_F(SpoiledBert, RefusesAWrongShapeOrType) {
  const Weights all = tiny_.tensors();
  for (const auto& [name, tensor] : all) {
    const auto write_with = [&](const Stored& other) {
      StoredTensors wrong = stored(all);
      wrong.insert_or_assign(name, other);
      write_tensors(weights(), wrong);
    };
    FloatTensor twice = tensor, deeper = tensor;
    twice.shape.back() *= 2;
    twice.values.resize(2 * tensor.values.size(), 1);
    write_with(twice);
    expect_refused(weights(), {"'" + name + "'", "found F32 [", "expected F32, F16 or BF16 ["});
    deeper.shape.insert(deeper.shape.begin(), 1);
    write_with(deeper);
    expect_refused(weights(), {"'" + name + "'", "expected"});
    write_with(Stored::of("F64", tensor.shape, std::vector<double>(tensor.values.size())));
    expect_refused(weights(), {"'" + name + "'", "found F64", "expected F32, F16 or BF16"});
    write_with(Stored::of("I64", tensor.shape, std::vector<int64_t>(tensor.values.size())));
    expect_refused(weights(), {"'" + name + "'", "found I64", "expected F32, F16 or BF16"});
  }
}

TEST_F(SpoiledBert, RefusesWhatIsNoFiniteNumber) {
  const Weights all = tiny_.tensors();
  for (const auto& [name, tensor] : all) {
    const auto write_with = [&](const Stored& other) {
      StoredTensors wrong = stored(all);
      wrong.insert_or_assign(name, other);
      write_tensors(weights(), wrong);
    };
    Weights wrong = all;
    wrong.at(name).values.back() = std::numeric_limits<float>::quiet_NaN();
    save_weights(weights(), wrong);
    expect_refused(weights(), {"'" + name + "'", "is nan, expected finite ones"});
    std::vector<uint16_t> halves(tensor.values.size(), 0);
    halves[0] = 0xfc00;
    write_with(Stored::of("F16", tensor.shape, halves));
    expect_refused(weights(), {"'" + name + "'", "value 0 is -inf"});
    halves[0] = 0x7f80;
    write_with(Stored::of("BF16", tensor.shape, halves));
    expect_refused(weights(), {"'" + name + "'", "value 0 is inf"});
  }
}

TEST_F(SpoiledBert, RefusesAnotherNumberOfLayers) {
  TinyBert more = tiny_;
  more.layers = 3;
  save_weights(weights(), more.tensors());
  expect_refused(weights(), {"encoder.layer.2.", "a BERT of 2 layers"});
  more.layers = 1;
  save_weights(weights(), more.tensors());
  expect_refused(weights(), {"encoder.layer.1.", "is missing"});
}

TEST_F(SpoiledBert, RefusesTensorsOfAnotherKindOfModel) {
  for (const char* name : {"encoder.layer.0.attention.self.distance_embedding.weight",
                           "encoder.layer.0.crossattention.self.query.weight",
                           "embeddings.more.weight", "pooler.more"}) {
    Weights tensors = tiny_.tensors();
    tensors[name] = filled({3}, 1);
    save_weights(weights(), tensors);
    expect_refused(weights(), {std::string("'") + name + "'", "expected none"});
  }
}

TEST_F(SpoiledBert, RefusesMorePiecesThanRows) {
  std::ofstream(folder() / "vocab.txt", std::ios::app) << "more\n";
  expect_refused(weights(), {kPieceEmbedding, std::to_string(tiny_.pieces.size()) + " rows",
                             std::to_string(tiny_.pieces.size() + 1) + " pieces"});
}

TEST_F(SpoiledBert, RefusesAConfigOfAnotherModelByName) {
  const json missing = json(json::value_t::discarded);
  const std::map<std::string, std::vector<json>> wrong = {
      {"model_type", {"roberta", 3}},
      {"hidden_act", {"relu", "gelu_new", nullptr}},
      {"position_embedding_type", {"relative_key"}},
      {"is_decoder", {true}},
      {"type_vocab_size", {1, 3, "2"}},
      {"hidden_size", {missing, nullptr, 0, -16, 2.5, "16", 12, 10008, 4294967312}},
      {"intermediate_size", {missing, 0, 100001, 4294967328, true}},
      {"num_hidden_layers", {missing, 0, -1, 1001, 2147483647, 4294967298, 2.0}},
      // 3 does not divide 16; 4 heads of 4 are not a multiple of 8; 8 2^29 is 0 in 32 bits
      {"num_attention_heads", {missing, 0, 3, 4, 16, 536870912, 2147483647}},
      {"max_position_embeddings", {missing, 0, 2, 100001, 4294967320}},
      {"layer_norm_eps", {"1e-12", -1, 1.5, nullptr}}};
  for (const auto& [key, values] : wrong)
    for (const json& value : values) {
      change_config(key, value);
      const bool of_heads = key == "num_attention_heads" && value.is_number() && value >= 3 &&
                            value <= 1000;  // said of the size
      expect_refused(folder() / "config.json", {of_heads ? "hidden_size" : key, "expected"});
    }
  change_config("hidden_size", 32);
  expect_refused(weights(), {"found F32", "expected F32, F16 or BF16"});
  change_config("max_position_embeddings", 25);
  expect_refused(weights(), {"position_embeddings", "[24, 16]", "[25, 16]"});
}

TEST_F(SpoiledBert, RefusesABrokenConfig) {
  for (const std::string& content :
       {std::string(), std::string("{"), std::string("[]"), std::string("3"), std::string("null"),
        std::string("{\"hidden_size\": }"), std::string("\xff"),
        std::string("{\"hidden_size\": 1e999}"), "{\"hidden_size\": " + std::string(100000, '['),
        "{\"hidden_act\": " + std::string(100000, '[') + std::string(100000, ']') + "}"}) {
    std::ofstream(folder() / "config.json") << content;
    expect_refused(folder() / "config.json", {});
  }
  fs::remove(folder() / "config.json");
  expect_refused(folder() / "config.json", {});
}

TEST_F(SpoiledBert, RefusesBrokenWeights) {
  const auto size = fs::file_size(weights());
  for (const auto cut : {size - 1, size / 2, uintmax_t{100}, uintmax_t{0}}) {
    fs::resize_file(weights(), cut);
    expect_refused(weights(), {});
  }
  fs::remove(weights());
  expect_refused(folder(), {"found 0 .safetensors files", "expected model.safetensors"});
  save_weights(folder() / "a.safetensors", tiny_.tensors());
  save_weights(folder() / "b.safetensors", tiny_.tensors());
  expect_refused(folder(), {"found 2 .safetensors files", "expected model.safetensors"});
  fs::remove(folder() / "b.safetensors");
  expect_read(tiny_.tensors());
}

TEST_F(SpoiledBert, RefusesAFolderWithoutATokenizerAndWhatIsNoFolder) {
  fs::remove(folder() / "vocab.txt");
  expect_refused(folder(), {"vocab.txt", "expected"});
  std::ofstream(folder() / "tokenizer.json") << "{";
  expect_refused(folder() / "tokenizer.json", {});
  fs::remove_all(folder());
  expect_refused(folder(), {"expected a folder"});
  std::ofstream(folder()) << "a file";
  expect_refused(folder(), {"expected a folder"});
}

}  // namespace
}  // namespace textcrs
