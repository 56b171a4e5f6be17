// A BERT on disk: every way it is written is read alike.
#include "model/pretrained_bert.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <numeric>

#include "pretrained_folder.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Pretrained = PretrainedFolder;

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
  for (const char* dtype : {"F32", "F16", "BF16"}) {
    StoredTensors written;
    Weights expected = tiny_.tensors();
    for (auto& [name, tensor] : expected) {
      std::vector<uint16_t> halves;
      for (float& x : tensor.values) {
        if (dtype == std::string("F16")) {
          halves.push_back(to_half(x));
          // To eleven bits, and to multiples of 2^-24.
          const int digits = std::min(10 - std::ilogb(x == 0 ? 1 : x), 24);
          const auto nearest =
              static_cast<float>(std::ldexp(std::nearbyint(std::ldexp(x, digits)), -digits));
          ASSERT_NEAR(x, nearest, 5e-4 * std::abs(x) + 1e-7);
          x = nearest;
        } else if (dtype == std::string("BF16")) {
          halves.push_back(static_cast<uint16_t>(std::bit_cast<uint32_t>(x) >> 16));
          x = std::bit_cast<float>(std::bit_cast<uint32_t>(x) & 0xffff0000);
        }
      }
      written.emplace(name, dtype == std::string("F32") ? Stored(tensor)
                                                        : Stored::of(dtype, tensor.shape, halves));
    }
    write_tensors(weights(), written);
    expect_read(expected);
  }
}

TEST_F(Pretrained, ReadsEverySpelling) {
  const Weights tensors = tiny_.tensors();
  for (const char* prefix : {"", "bert."})
    for (const bool old_names : {false, true})
      for (const bool renamed_file : {false, true}) {
        StoredTensors written;
        for (const auto& [name, tensor] : tensors) {
          std::string spelled = prefix + name;
          if (old_names && name.ends_with("LayerNorm.weight"))
            spelled.replace(spelled.size() - 6, 6, "gamma");
          if (old_names && name.ends_with("LayerNorm.bias"))
            spelled.replace(spelled.size() - 4, 4, "beta");
          written.emplace(spelled, tensor);
        }
        // What else is in such files.
        std::vector<int64_t> positions(24);
        std::iota(positions.begin(), positions.end(), 0);
        written.emplace(prefix + std::string("embeddings.position_ids"),
                        Stored::of("I64", {1, 24}, positions));
        written.emplace("cls.predictions.bias", filled({7}, 1));
        written.emplace("cls.predictions.transform.LayerNorm.gamma", filled({7}, 1));
        written.emplace("classifier.weight", filled({5, 16}, 1));
        written.emplace("head.weight",
                        Stored::of("F16", {3, 16}, std::vector<uint16_t>(48, to_half(1))));
        written.emplace("head.bias", filled({5}, 1));
        fs::remove(weights());
        fs::remove(folder() / "other.safetensors");
        write_tensors(renamed_file ? folder() / "other.safetensors" : weights(), written);
        expect_read(tensors);
        for (const float x : load()->weights().at("head.weight").values) EXPECT_NE(x, 1);
      }
}

TEST_F(Pretrained, ModelSafetensorsComesBeforeOthers) {
  write_tensors(folder() / "adapter.safetensors", {{"x", filled({1}, 1)}});
  expect_read(tiny_.tensors());
}

TEST_F(Pretrained, TheHeadIsFreshAndSoIsAMissingPooler) {
  const auto value = [&](uint64_t seed, const std::string& name) {
    return load(seed)->weights().at(name);
  };
  EXPECT_EQ(value(1, "head.weight").shape, (std::vector<int64_t>{3, 16}));
  EXPECT_EQ(value(1, "head.weight"), value(1, "head.weight"));
  EXPECT_NE(value(1, "head.weight"), value(2, "head.weight"));
  EXPECT_EQ(value(1, "pooler.dense.weight"), value(2, "pooler.dense.weight"));

  Weights tensors = tiny_.tensors();
  tensors.erase("pooler.dense.weight");
  tensors.erase("pooler.dense.bias");
  save_weights(weights(), tensors);
  EXPECT_FALSE(PretrainedBert(folder(), 1).holds("pooler.dense.weight"));
  const FloatTensor pooler = value(1, "pooler.dense.weight");
  EXPECT_EQ(pooler, value(1, "pooler.dense.weight"));
  EXPECT_NE(pooler, value(2, "pooler.dense.weight"));
  float largest = 0;
  for (const float x : pooler.values) largest = std::max(largest, std::abs(x));
  EXPECT_GT(largest, 0.01);
  EXPECT_LT(largest, 0.04);  // as spread out as BERT's own beginning
  EXPECT_EQ(value(1, "pooler.dense.bias"), filled({16}, 0));
}

TEST_F(Pretrained, ATableMayHaveMoreRowsThanPieces) {
  const Weights tensors = tiny_.tensors();
  Weights padded = tensors;
  FloatTensor& table = padded[kPieceEmbedding];
  table.shape[0] += 9;
  table.values.resize(table.values.size() + 9 * 16, 1);
  save_weights(weights(), padded);
  expect_read(tensors);
}

TEST_F(Pretrained, RowsPerPieceAreAskedForByName) {
  const auto count = static_cast<int64_t>(tiny_.pieces.size());
  Weights tensors = tiny_.tensors();
  tensors["cls.predictions.bias"] = filled({count + 2}, 3);
  save_weights(weights(), tensors);
  const PretrainedBert source(folder(), 1);
  EXPECT_EQ(source.piece_rows("cls.predictions.bias"), filled({count}, 3));
  EXPECT_EQ(source.piece_rows(kPieceEmbedding, 16), tensors.at(kPieceEmbedding));
  for (const auto& [name, width] :
       {std::pair("cls.predictions.bias", 16), std::pair(kPieceEmbedding, 0),
        std::pair("cls.absent", 0), std::pair("pooler.dense.bias", 0)})
    EXPECT_NE(expect_error(ErrorKind::kBadInput, [&] { source.piece_rows(name, width); })
                  .find(std::string("'") + name + "'"),
              std::string::npos);
}

TEST_F(Pretrained, TakesTheEpsilon) {
  change_config("layer_norm_eps", 1e-5);
  EXPECT_EQ(load()->config().bert.epsilon, 1e-5);
  change_config("layer_norm_eps", json(json::value_t::discarded));
  EXPECT_EQ(load()->config().bert.epsilon, 1e-12);
}

}  // namespace
}  // namespace textcrs
