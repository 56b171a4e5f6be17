// The fingerprint: one model, one value, wherever it lies; another one for whatever else may
// answer.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "small_model.h"
#include "text/temporary_folder.h"
#include "tiny_bert.h"

namespace textcrs {
namespace {

// What a classifier is made of.
struct Parts {
  ModelConfig config;
  std::vector<std::string> words;
  std::vector<std::vector<WordId>> synonyms;  // none if empty
  Weights weights;
  std::vector<std::string> pieces;  // of a bert
  WordPieceRules rules = {};

  std::unique_ptr<Classifier> classifier() const {
    const bool is_bert = !pieces.empty();
    return std::make_unique<Classifier>(
        config,
        Vocabulary(words, is_bert ? Vocabulary::Growth::kOpen : Vocabulary::Growth::kClosed),
        synonyms.empty() ? SynonymTable() : SynonymTable(config.synonyms, synonyms), weights,
        is_bert ? std::make_shared<WordPiece>(pieces, rules) : nullptr);
  }
  std::string fingerprint() const { return classifier()->fingerprint(); }
};

Parts cnn() {
  const TemporaryFolder folder;
  Parts parts;
  parts.config = small_config("cnn");
  parts.config.noise = "substitute:kernel=staircase,size=3";
  parts.config.synonyms = "by hand";
  parts.words = small_words();
  parts.synonyms.resize(23);
  parts.synonyms[3] = {4, 5};
  parts.synonyms[4] = {3};
  parts.synonyms[5] = {3};
  const auto classifier =
      Classifier::fresh(parts.config, Vocabulary(parts.words), {"by hand", parts.synonyms},
                        small_vectors(folder.path(), parts.words), 1);
  parts.config = classifier->config();
  parts.weights = classifier->weights();
  return parts;
}

Parts bert() {
  const TinyBert tiny;
  const auto classifier = tiny.classifier({"film", "good"});
  return {classifier->config(), {"film", "good"}, {}, classifier->weights(), tiny.pieces};
}

using Change = std::function<void(Parts&)>;

// Every change gives a fingerprint of its own.
void expect_each_counts(const Parts& parts,
                        const std::vector<std::pair<std::string, Change>>& all) {
  std::set<std::string> seen = {parts.fingerprint()};
  for (const auto& [what, change] : all) {
    Parts changed = parts;
    change(changed);
    EXPECT_TRUE(seen.insert(changed.fingerprint()).second) << what;
  }
}

float& value(Parts& parts, const std::string& name, size_t i) {
  return parts.weights.at(name).values.at(i);
}

TEST(Fingerprint, IsTheSameForTheSameContent) {
  for (const Parts& parts : {cnn(), bert()}) {
    const TemporaryFolder folder;
    const auto classifier = parts.classifier();
    const std::string expected = classifier->fingerprint();
    EXPECT_EQ(expected.size(), 16u);
    EXPECT_EQ(classifier->fingerprint(), expected);
    EXPECT_EQ(parts.fingerprint(), expected);
    classifier->save(folder.path() / "model");
    EXPECT_EQ(Classifier::load(folder.path() / "model")->fingerprint(), expected);
    std::filesystem::rename(folder.path() / "model", folder.path() / "elsewhere");
    EXPECT_EQ(Classifier::load(folder.path() / "elsewhere")->fingerprint(), expected);
  }
}

TEST(Fingerprint, EveryIngredientCounts) {
  expect_each_counts(
      cnn(),
      {{"a weight", [](Parts& p) { value(p, "head.weight", 3) += 1; }},
       {"its last bit",
        [](Parts& p) {
          float& x = value(p, "head.weight", 3);
          x = std::nextafter(x, 2.0f);
        }},
       {"a sign", [](Parts& p) { value(p, "head.weight", 3) *= -1; }},
       {"a bias", [](Parts& p) { value(p, "conv3.bias", 0) += 1; }},
       {"a zero's sign", [](Parts& p) { value(p, "head.bias", 0) = -0.0f; }},
       {"a vector", [](Parts& p) { value(p, "embedding.weight", 30) += 1; }},
       {"a word", [](Parts& p) { p.words[7] = "other"; }},
       {"words' places", [](Parts& p) { std::swap(p.words[7], p.words[8]); }},
       {"where words part", [](Parts& p) { p.words[0] = "w0w", p.words[1] = "1"; }},
       {"a class", [](Parts& p) { p.config.classes[2] = "perhaps"; }},
       {"classes' places", [](Parts& p) { std::swap(p.config.classes[0], p.config.classes[1]); }},
       {"where classes part",
        [](Parts& p) { p.config.classes[0] = "n", p.config.classes[1] = "oyes"; }},
       {"the noise", [](Parts& p) { p.config.noise = "substitute:kernel=staircase,size=4"; }},
       {"the synonyms' source", [](Parts& p) { p.config.synonyms = "by foot"; }},
       {"a synonym",
        [](Parts& p) {
          p.synonyms[4] = {3, 6}, p.synonyms[6] = {4};
        }},
       {"synonyms' ranks",
        [](Parts& p) {
          p.synonyms[3] = {5, 4};
        }},
       {"whose synonyms", [](Parts& p) { p.synonyms[4] = {}, p.synonyms[6] = {3}; }},
       {"the precision", [](Parts& p) { p.config.precision = Precision::kFp32; }},
       {"the slots", [](Parts& p) { p.config.slots += 1; }},
       {"the units", [](Parts& p) { p.config.units = Units::kSentences; }},
       {"the pooling", [](Parts& p) { p.config.pool_all_slots = true; }}});
}

TEST(Fingerprint, EveryIngredientOfABertCounts) {
  expect_each_counts(
      bert(), {{"a frozen weight",
                [](Parts& p) { value(p, "embeddings.position_embeddings.weight", 5) += 1; }},
               {"a vector", [](Parts& p) { value(p, kPieceEmbedding, 5) += 1; }},
               {"a layer", [](Parts& p) { value(p, "encoder.layer.1.output.dense.bias", 5) += 1; }},
               {"a word", [](Parts& p) { p.words[0] = "films"; }},
               {"a word more", [](Parts& p) { p.words.push_back("films"); }},
               {"a piece", [](Parts& p) { p.pieces.back() = "?"; }},
               {"the heads", [](Parts& p) { p.config.bert.heads = 1; }},
               {"the epsilon", [](Parts& p) { p.config.bert.epsilon = 1e-5; }},
               {"upper case", [](Parts& p) { p.rules.lower_case = false; }},
               {"accents", [](Parts& p) { p.rules.strip_accents = false; }},
               {"Chinese", [](Parts& p) { p.rules.split_chinese = false; }},
               {"control characters", [](Parts& p) { p.rules.clean_text = false; }},
               {"the longest word", [](Parts& p) { p.rules.longest_word = 99; }}});
}

// The signs of two numbers that share a word of the hash, or lie in neighbouring ones, are changed.
TEST(Fingerprint, PairsOfSignsCount) {
  const Parts parts = cnn();
  std::set<std::string> seen = {parts.fingerprint()};
  const size_t count = parts.weights.at("head.weight").values.size();
  for (size_t i = 0; i < 8; ++i)
    for (size_t j = i + 1; j < count; ++j) {
      Parts changed = parts;
      value(changed, "head.weight", i) *= -1;
      value(changed, "head.weight", j) *= -1;
      EXPECT_TRUE(seen.insert(changed.fingerprint()).second) << i << " " << j;
    }
}

TEST(Fingerprint, SwappedValuesCount) {
  const Parts parts = cnn();
  std::set<std::string> seen = {parts.fingerprint()};
  for (size_t i = 0; i < 8; ++i)
    for (size_t j = i + 1; j < 20; ++j) {
      Parts changed = parts;
      std::swap(value(changed, "head.weight", i), value(changed, "head.weight", j));
      EXPECT_TRUE(seen.insert(changed.fingerprint()).second) << i << " " << j;
    }
}

TEST(Fingerprint, WhatOnlyTrainingReadsDoesNotCount) {
  Parts parts = cnn();
  const std::string before = parts.fingerprint();
  parts.config.dropout = 0.3;
  parts.config.input_dropout = 0.3;
  EXPECT_EQ(parts.fingerprint(), before);
}

TEST(Fingerprint, FollowsAssignedWeights) {
  const auto classifier = cnn().classifier();
  const std::string before = classifier->fingerprint();
  const FloatTensor bias = classifier->weights().at("head.bias");
  classifier->assign({{"head.bias", {{3}, {1, 2, 3}}}});
  EXPECT_NE(classifier->fingerprint(), before);
  classifier->assign({{"head.bias", bias}});
  EXPECT_EQ(classifier->fingerprint(), before);
}

}  // namespace
}  // namespace textcrs
