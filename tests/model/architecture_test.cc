// The table of architectures: every row is whole, and its tensors are those of its shape.
#include "textcrs/model/architecture.h"

#include <gtest/gtest.h>

#include <set>

#include "expect_error.h"
#include "small_model.h"
#include "tiny_bert.h"

namespace textcrs {
namespace {

ModelConfig config_of(const Architecture& architecture) {
  if (architecture.reads_pieces) return TinyBert().config();
  ModelConfig config = small_config(architecture.name);
  config.dimension =
      architecture.casts_votes ? static_cast<int>(config.classes.size()) : kSmallDimension;
  config.trained_vectors = architecture.casts_votes;
  return config;
}

TEST(Architectures, AreFoundByTheirNames) {
  EXPECT_EQ(architecture_names(),
            (std::vector<std::string>{"bilstm", "cnn", "bert", "votes", "linear"}));
  for (const Architecture& one : architectures())
    EXPECT_EQ(&find_architecture(one.name), &one) << one.name;
  for (const char* name : {"", "BERT", "transformer", "bert "}) {
    const std::string message = expect_error(ErrorKind::kUsage, [&] { find_architecture(name); });
    EXPECT_NE(message.find(std::string("'") + name + "'"), std::string::npos) << message;
    EXPECT_NE(message.find("bilstm, cnn, bert"), std::string::npos) << message;
  }
}

TEST(Architectures, HaveEverythingARowNeeds) {
  for (const Architecture& one : architectures()) {
    EXPECT_FALSE(one.summary.empty()) << one.name;
    EXPECT_FALSE(one.embedding.empty()) << one.name;
    EXPECT_EQ(one.reads_pieces, one.name == "bert");
    const TrainingDefaults& training = one.training;
    EXPECT_GT(training.epochs, 0) << one.name;
    EXPECT_GT(training.batch_size, 0) << one.name;
    EXPECT_GT(training.learning_rate, 0) << one.name;
    for (const double share : {training.warm_up, training.dropout, training.input_dropout}) {
      EXPECT_GE(share, 0) << one.name;
      EXPECT_LT(share, 1) << one.name;
    }
  }
}

TEST(Architectures, TensorsHaveNamesOfTheirOwnAndAHead) {
  for (const Architecture& one : architectures()) {
    const ModelConfig config = config_of(one);
    std::set<std::string> names = {one.embedding};
    for (const TensorSpec& spec : one.tensors(config)) {
      EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
      EXPECT_GT(elements_of(spec.shape), 0) << spec.name;
      EXPECT_GE(spec.bound, 0) << spec.name;
      EXPECT_LE(0, spec.ones_from) << spec.name;
      EXPECT_LE(spec.ones_from, spec.ones_to) << spec.name;
      EXPECT_LE(spec.ones_to, elements_of(spec.shape)) << spec.name;
      if (spec.name == "head.weight" || spec.name == "head.bias") {
        EXPECT_TRUE(spec.is_trained);
        EXPECT_EQ(spec.shape[0], static_cast<int64_t>(config.classes.size()));
      }
    }
    EXPECT_EQ(names.contains("head.weight") && names.contains("head.bias"), !one.casts_votes)
        << one.name;
  }
}

std::map<std::string, TensorSpec> tensors_of(const ModelConfig& config) {
  std::map<std::string, TensorSpec> named;
  for (const TensorSpec& spec : config.kind().tensors(config)) named[spec.name] = spec;
  return named;
}

using Shape = std::vector<int64_t>;

TEST(Architectures, TheBiLstmIsThatOfPyTorch) {
  ModelConfig config = config_of(find_architecture("bilstm"));  // 9 units, 6 coordinates
  auto tensors = tensors_of(config);
  EXPECT_EQ(tensors.size(), 10u);
  for (const char* suffix : {"", "_reverse"}) {
    EXPECT_EQ(tensors[std::string("lstm.weight_ih_l0") + suffix].shape, (Shape{36, 6}));
    EXPECT_EQ(tensors[std::string("lstm.weight_hh_l0") + suffix].shape, (Shape{36, 9}));
    for (const char* bias : {"lstm.bias_ih_l0", "lstm.bias_hh_l0"})
      EXPECT_EQ(tensors[std::string(bias) + suffix].shape, (Shape{36}));
    // The forget gates, the second quarter, begin open.
    const TensorSpec& bias = tensors[std::string("lstm.bias_ih_l0") + suffix];
    EXPECT_EQ(std::pair(bias.ones_from, bias.ones_to), std::pair(int64_t{9}, int64_t{18}));
    EXPECT_NEAR(tensors[std::string("lstm.weight_hh_l0") + suffix].bound, 1 / 3.0, 1e-12);
  }
  EXPECT_EQ(tensors["head.weight"].shape, (Shape{3, 18}));
  EXPECT_EQ(tensors["head.bias"].shape, (Shape{3}));
}

TEST(Architectures, TheCnnHasFiltersOfThreeWidths) {
  auto tensors = tensors_of(config_of(find_architecture("cnn")));
  EXPECT_EQ(tensors.size(), 8u);
  for (const int width : {3, 4, 5}) {
    const std::string name = "conv" + std::to_string(width);
    EXPECT_EQ(tensors[name + ".weight"].shape, (Shape{9, 6, width}));
    EXPECT_EQ(tensors[name + ".bias"].shape, (Shape{9}));
  }
  EXPECT_EQ(tensors["head.weight"].shape, (Shape{3, 27}));
}

TEST(Architectures, OfABertTheEmbeddingsAreFrozen) {
  auto tensors = tensors_of(TinyBert().config());
  EXPECT_EQ(tensors.size(), 4u + 2 * 16 + 2 + 2);
  for (const auto& [name, spec] : tensors) {
    EXPECT_EQ(spec.is_trained, !name.starts_with("embeddings.")) << name;
    if (name.ends_with("LayerNorm.weight")) {
      EXPECT_EQ(std::pair(spec.ones_from, spec.ones_to), std::pair(int64_t{0}, int64_t{16}));
    }
  }
  EXPECT_EQ(tensors["encoder.layer.1.intermediate.dense.weight"].shape, (Shape{32, 16}));
  EXPECT_EQ(tensors["embeddings.position_embeddings.weight"].shape, (Shape{24, 16}));
  EXPECT_EQ(tensors["head.weight"].shape, (Shape{2, 16}));
}

TEST(Architectures, VotesHaveABiasBesideTheScores) {
  for (const char* name : {"votes", "linear"}) {
    auto tensors = tensors_of(config_of(find_architecture(name)));
    EXPECT_EQ(tensors.size(), 1u);
    EXPECT_EQ(tensors["bias"].shape, (Shape{3}));
    EXPECT_TRUE(tensors["bias"].is_trained);
  }
}

TEST(Architectures, SoundShapesHaveNoComplaint) {
  for (const Architecture& one : architectures()) {
    ModelConfig config = config_of(one);
    EXPECT_EQ(one.complaint(config), std::nullopt) << one.name;
    config.hidden = 0;  // votes need no network
    EXPECT_EQ(one.complaint(config).value_or("").find("hidden") != std::string::npos,
              !one.casts_votes)
        << one.name;
  }
}

TEST(Architectures, VotesHaveAScoreForEveryClassWhichIsTrained) {
  const auto complaint = [](auto change) {
    ModelConfig config = config_of(find_architecture("votes"));
    change(config);
    return config.kind().complaint(config).value_or("");
  };
  EXPECT_EQ(complaint([](ModelConfig& c) { c.dimension = 4; }),
            "dimension is 4, expected one score for each of the 3 classes");
  EXPECT_TRUE(
      complaint([](ModelConfig& c) { c.trained_vectors = false; }).starts_with("trained_vectors"));
  EXPECT_TRUE(
      complaint([](ModelConfig& c) { c.pool_all_slots = true; }).starts_with("pool_all_slots"));
}

}  // namespace
}  // namespace textcrs
