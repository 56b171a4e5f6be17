// A BERT on disk: every way it is written is read alike, and whatever does not fit is refused.
#include "model/pretrained_bert.h"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "expect_error.h"
#include "text/temporary_folder.h"
#include "tiny_bert.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Tensors = std::map<std::string, at::Tensor>;

// The tensors in their own types: F32, F16, BF16, F64 or I64.
void write_tensors(const fs::path& path, const Tensors& tensors) {
  Tensors held;
  std::map<std::string, TensorView> views;
  for (const auto& [name, tensor] : tensors) {
    const at::Tensor& one = held[name] = tensor.contiguous();
    const at::ScalarType type = one.scalar_type();
    views[name] = {type == at::kHalf       ? "F16"
                   : type == at::kBFloat16 ? "BF16"
                   : type == at::kDouble   ? "F64"
                   : type == at::kLong     ? "I64"
                                           : "F32",
                   one.sizes().vec(),
                   {static_cast<const std::byte*>(one.data_ptr()), one.nbytes()}};
  }
  write_safetensors(path, views);
}

class Pretrained : public testing::Test {
 protected:
  Pretrained() {
    config_.slots = 12;
    config_.classes = {"no", "yes", "maybe"};
    tiny_.write(folder());
  }
  fs::path folder() const { return folder_.path() / "bert"; }
  fs::path weights() const { return folder() / "model.safetensors"; }

  std::unique_ptr<Classifier> load(uint64_t seed = 1) const {
    return Classifier::from_bert(config_, Vocabulary({"film"}, Vocabulary::Growth::kOpen), {},
                                 folder(), seed, "cpu");
  }
  const Bert& bert_of(const Classifier& classifier) const {
    return dynamic_cast<const Bert&>(classifier.network());
  }
  // The folder is read, and its tensors are `expected`.
  void expect_read(const Tensors& expected) const {
    const auto classifier = load();
    const Bert& bert = bert_of(*classifier);
    EXPECT_TRUE(bert.vectors().equal(expected.at(kPieceEmbedding)));
    for (const auto& [name, tensor] : expected) {
      if (name == kPieceEmbedding) continue;
      EXPECT_EQ(bert.tensor(name).scalar_type(), at::kFloat);
      EXPECT_TRUE(bert.tensor(name).detach().equal(tensor)) << name;
    }
    EXPECT_EQ(bert.parameters().size() + bert.frozen().size(), expected.size() - 1 + 2);
  }
  // The folder is refused; the message begins with `file` and says all of `what`.
  void expect_refused(const fs::path& file, const std::vector<std::string>& what) const {
    const std::string message = expect_error(ErrorKind::kBadInput, [&] { load(); });
    EXPECT_EQ(message.rfind(file.string() + ":", 0), 0u) << message;
    for (const std::string& part : what)
      EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
  void change_config(const std::string& key, const json& value) const {
    json config = json::parse(tiny_.config_json());
    if (value.is_discarded())
      config.erase(key);
    else
      config[key] = value;
    std::ofstream(folder() / "config.json") << config;
  }

  TemporaryFolder folder_;
  TinyBert tiny_;
  ModelConfig config_;
};

TEST_F(Pretrained, GivesShapeTensorsAndPieces) {
  expect_read(tiny_.tensors());
  const auto classifier = load();
  const ModelConfig& config = classifier->config();
  EXPECT_EQ(config.architecture, "bert");
  EXPECT_EQ(config.dimension, 16);
  EXPECT_EQ(config.hidden, 32);
  EXPECT_EQ(config.bert, (BertShape{2, 2, 24, 1e-12}));
  EXPECT_EQ(config.slots, 12);  // not the checkpoint's business
  const PretrainedBert source(folder(), 1);
  EXPECT_EQ(source.wordpiece()->size(), static_cast<int>(tiny_.pieces.size()));
  EXPECT_TRUE(source.holds("pooler.dense.weight"));
  EXPECT_FALSE(source.holds("head.weight"));
}

TEST_F(Pretrained, ReadsEveryPrecision) {
  for (const at::ScalarType type : {at::kFloat, at::kHalf, at::kBFloat16}) {
    Tensors written, expected;
    for (const auto& [name, tensor] : tiny_.tensors()) {
      written[name] = tensor.to(type);
      expected[name] = written[name].to(at::kFloat);
    }
    write_tensors(weights(), written);
    expect_read(expected);
  }
}

TEST_F(Pretrained, ReadsEverySpelling) {
  const Tensors tensors = tiny_.tensors();
  for (const char* prefix : {"", "bert."})
    for (const bool old_names : {false, true})
      for (const bool renamed_file : {false, true}) {
        Tensors written;
        for (const auto& [name, tensor] : tensors) {
          std::string spelled = prefix + name;
          if (old_names && name.ends_with("LayerNorm.weight"))
            spelled.replace(spelled.size() - 6, 6, "gamma");
          if (old_names && name.ends_with("LayerNorm.bias"))
            spelled.replace(spelled.size() - 4, 4, "beta");
          written[spelled] = tensor;
        }
        // What else is in such files.
        written[prefix + std::string("embeddings.position_ids")] =
            at::arange(24, at::kLong).unsqueeze(0);
        written["cls.predictions.bias"] = at::ones({7});
        written["cls.predictions.transform.LayerNorm.gamma"] = at::ones({7});
        written["classifier.weight"] = at::ones({5, 16});
        written["head.weight"] = at::ones({3, 16}).to(at::kHalf);
        written["head.bias"] = at::ones({5});
        fs::remove(weights());
        fs::remove(folder() / "other.safetensors");
        write_tensors(renamed_file ? folder() / "other.safetensors" : weights(), written);
        expect_read(tensors);
        EXPECT_FALSE(bert_of(*load()).parameters().at("head.weight").eq(1).any().item<bool>());
      }
}

TEST_F(Pretrained, ModelSafetensorsComesBeforeOthers) {
  write_tensors(folder() / "adapter.safetensors", {{"x", at::ones({1})}});
  expect_read(tiny_.tensors());
}

TEST_F(Pretrained, TheHeadIsFreshAndSoIsAMissingPooler) {
  const auto value = [&](uint64_t seed, const std::string& name) {
    return bert_of(*load(seed)).parameters().at(name).detach().clone();
  };
  EXPECT_EQ(value(1, "head.weight").sizes(), (std::vector<int64_t>{3, 16}));
  EXPECT_TRUE(value(1, "head.weight").equal(value(1, "head.weight")));
  EXPECT_FALSE(value(1, "head.weight").equal(value(2, "head.weight")));
  EXPECT_TRUE(value(1, "pooler.dense.weight").equal(value(2, "pooler.dense.weight")));

  Tensors tensors = tiny_.tensors();
  tensors.erase("pooler.dense.weight");
  tensors.erase("pooler.dense.bias");
  write_tensors(weights(), tensors);
  EXPECT_FALSE(PretrainedBert(folder(), 1).holds("pooler.dense.weight"));
  const at::Tensor pooler = value(1, "pooler.dense.weight");
  EXPECT_TRUE(pooler.equal(value(1, "pooler.dense.weight")));
  EXPECT_FALSE(pooler.equal(value(2, "pooler.dense.weight")));
  EXPECT_GT(pooler.abs().max().item<float>(), 0.01);
  EXPECT_LT(pooler.abs().max().item<float>(), 0.04);  // as spread out as BERT's own beginning
  EXPECT_TRUE(value(1, "pooler.dense.bias").eq(0).all().item<bool>());
}

TEST_F(Pretrained, ATableMayHaveMoreRowsThanPieces) {
  Tensors tensors = tiny_.tensors(), padded = tensors;
  padded[kPieceEmbedding] = at::cat({tensors[kPieceEmbedding], at::ones({9, 16})});
  write_tensors(weights(), padded);
  expect_read(tensors);
}

TEST_F(Pretrained, RefusesAMissingTensor) {
  const Tensors all = tiny_.tensors();
  for (const auto& [name, tensor] : all) {
    Tensors rest = all;
    rest.erase(name);
    write_tensors(weights(), rest);
    expect_refused(weights(), {"'" + name + "' is missing"});  // half a pooler is none
  }
}

TEST_F(Pretrained, RefusesAWrongShapeOrType) {
  const Tensors all = tiny_.tensors();
  for (const auto& [name, tensor] : all) {
    Tensors wrong = all;
    wrong[name] = at::cat({tensor, tensor}, -1);
    write_tensors(weights(), wrong);
    expect_refused(weights(), {"'" + name + "'", "found F32 [", "expected F32, F16 or BF16 ["});
    wrong[name] = tensor.unsqueeze(0);
    write_tensors(weights(), wrong);
    expect_refused(weights(), {"'" + name + "'", "expected"});
    for (const at::ScalarType type : {at::kDouble, at::kLong}) {
      wrong[name] = tensor.to(type);
      write_tensors(weights(), wrong);
      expect_refused(weights(), {"'" + name + "'", type == at::kDouble ? "found F64" : "found I64",
                                 "expected F32, F16 or BF16"});
    }
  }
}

TEST_F(Pretrained, RefusesAnotherNumberOfLayers) {
  TinyBert more = tiny_;
  more.layers = 3;
  save_tensors(weights(), more.tensors());
  expect_refused(weights(), {"encoder.layer.2.", "a BERT of 2 layers"});
  more.layers = 1;
  save_tensors(weights(), more.tensors());
  expect_refused(weights(), {"encoder.layer.1.", "is missing"});
}

TEST_F(Pretrained, RefusesTensorsOfAnotherKindOfModel) {
  for (const char* name : {"encoder.layer.0.attention.self.distance_embedding.weight",
                           "encoder.layer.0.crossattention.self.query.weight",
                           "embeddings.more.weight", "pooler.more"}) {
    Tensors tensors = tiny_.tensors();
    tensors[name] = at::ones({3});
    write_tensors(weights(), tensors);
    expect_refused(weights(), {std::string("'") + name + "'", "expected none"});
  }
}

TEST_F(Pretrained, RefusesMorePiecesThanRows) {
  std::ofstream(folder() / "vocab.txt", std::ios::app) << "more\n";
  expect_refused(weights(), {kPieceEmbedding, std::to_string(tiny_.pieces.size()) + " rows",
                             std::to_string(tiny_.pieces.size() + 1) + " pieces"});
}

TEST_F(Pretrained, RefusesAConfigOfAnotherModelByName) {
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

TEST_F(Pretrained, TakesTheEpsilon) {
  change_config("layer_norm_eps", 1e-5);
  EXPECT_EQ(load()->config().bert.epsilon, 1e-5);
  change_config("layer_norm_eps", json(json::value_t::discarded));
  EXPECT_EQ(load()->config().bert.epsilon, 1e-12);
}

TEST_F(Pretrained, RefusesABrokenConfig) {
  for (const char* content : {"", "{", "[]", "3", "null", "{\"hidden_size\": }", "\xff"}) {
    std::ofstream(folder() / "config.json") << content;
    expect_refused(folder() / "config.json", {});
  }
  fs::remove(folder() / "config.json");
  expect_refused(folder() / "config.json", {});
}

TEST_F(Pretrained, RefusesBrokenWeights) {
  const auto size = fs::file_size(weights());
  for (const auto cut : {size - 1, size / 2, uintmax_t{100}, uintmax_t{0}}) {
    fs::resize_file(weights(), cut);
    expect_refused(weights(), {});
  }
  fs::remove(weights());
  expect_refused(folder(), {"found 0 .safetensors files", "expected model.safetensors"});
  save_tensors(folder() / "a.safetensors", tiny_.tensors());
  save_tensors(folder() / "b.safetensors", tiny_.tensors());
  expect_refused(folder(), {"found 2 .safetensors files", "expected model.safetensors"});
  fs::remove(folder() / "b.safetensors");
  expect_read(tiny_.tensors());
}

TEST_F(Pretrained, RefusesAFolderWithoutATokenizerAndWhatIsNoFolder) {
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
