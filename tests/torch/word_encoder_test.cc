#include "torch/word_encoder.h"

#include <gtest/gtest.h>

#include "model/interval_models.h"
#include "textcrs/base/lanes.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

std::unique_ptr<Classifier> model_with_vectors_of_its_own() {
  const TemporaryFolder folder;
  ModelConfig config = small_config("cnn");
  config.noise = "insert:sigma=0.3";
  config.pool_all_slots = true;
  config.trained_vectors = true;
  config.dropout = config.input_dropout = 0;
  return Classifier::fresh(config, Vocabulary(small_words()), groups_of_four(),
                           grouped_vectors(folder.path(), 0.5), 3);
}

double distance(const at::Tensor& table, WordId a, WordId b) {
  return (table[a] - table[b]).norm().item<double>();
}

TEST(WordEncoder, BeginsNearTheVectorsAndLeavesPadZero) {
  const auto classifier = model_with_vectors_of_its_own();
  const WordEncoder encoder(*classifier, 0, 1, at::kCPU);
  const at::Tensor table = encoder.table();
  const at::Tensor vectors = to_tensor(classifier->weights().at("embedding.weight"));
  EXPECT_EQ(table[kPad].abs().max().item<double>(), 0);
  EXPECT_LT((table - vectors).norm().item<double>(), 0.5 * vectors.norm().item<double>());
  EXPECT_EQ(encoder.parameters().at("encoder.0.weight").size(0), 2 * kSmallDimension);
  EXPECT_EQ(WordEncoder(*classifier, 5, 1, at::kCPU).parameters().at("encoder.0.weight").size(0),
            5);
}

TEST(WordEncoder, NoCandidateIsFartherThanTheWidth) {
  const auto classifier = model_with_vectors_of_its_own();
  const WordEncoder encoder(*classifier, 9, 1, at::kCPU);
  const at::Tensor table = encoder.table();
  for (WordId word = kUnk; word < 23; ++word) {
    CopyBatch batch;
    batch.copies = {{word, word}};
    const double width = encoder.widths(batch, 12).item<double>();
    const auto candidates = classifier->synonyms().of(word);
    if (candidates.empty()) EXPECT_LT(width, 1e-5);
    for (const WordId candidate : candidates)
      EXPECT_LE(distance(table, word, candidate), width + 1e-5);
  }
}

TEST(WordEncoder, WidthsAreMeansOverWordsAndSumsOverTexts) {
  const auto classifier = model_with_vectors_of_its_own();
  const WordEncoder encoder(*classifier, 0, 1, at::kCPU);
  const auto widths = [&](std::vector<std::vector<WordId>> texts, int slots = 12) {
    CopyBatch batch;
    batch.copies = std::move(texts);
    return encoder.widths(batch, slots).item<double>();
  };
  const WordId a = kFirstWord + 4, b = kFirstWord + 9;
  EXPECT_NEAR(widths({{a, b, b, a}}), (widths({{a}}) + widths({{b}})) / 2, 1e-4);
  EXPECT_NEAR(widths({{a}, {b}, {}}), widths({{a}}) + widths({{b}}), 1e-4);
  EXPECT_NEAR(widths({{a, b}}, 1), widths({{a}}), 1e-4);
  EXPECT_EQ(widths({{}}), 0);
}

// The learner: its loss draws candidates together, and the table is what it leaves.
TEST(WordEncoder, LearningDrawsCandidatesTogether) {
  const auto classifier = model_with_vectors_of_its_own();
  const auto vectors = to_tensor(classifier->weights().at("embedding.weight"));
  LabelledBatch batch;
  batch.copies.sigma = 0.3;
  for (uint32_t i = 0; i < 30; ++i) {  // the class is the group of the words
    const auto label = static_cast<WordId>(i % 3);
    const WordId first = kFirstWord + 4 + 4 * label;
    batch.copies.copies.push_back({first + static_cast<WordId>(i % 4), first + 1, first + 3});
    batch.labels.push_back(label);
    batch.copies.gaussians.emplace_back(8, 0, i, lane::kGaussian);
  }
  const auto spread_after = [&](double weight) {
    const auto learner =
        torch_backend().learner(*classifier, {.threads = 1, .seed = 4, .encoder_weight = weight});
    const Weights first = learner->parameters();
    EXPECT_TRUE(first.contains("encoder.2.bias"));
    EXPECT_FALSE(first.contains("embedding.weight"));
    for (int64_t step = 0; step < 120; ++step) learner->step(batch, step, 1e-2);
    const Weights trained = learner->trained();
    EXPECT_FALSE(trained.contains("encoder.2.bias"));
    // What it leaves is what it answers with.
    const auto model = model_with_vectors_of_its_own();
    model->assign(trained);
    const auto own = learner->engine({.threads = 1})->scores(batch.copies);
    const auto again = torch_backend().learner(*model, {.threads = 1});
    const auto left = again->engine({.threads = 1})->scores(batch.copies);
    for (size_t i = 0; i < own.size(); ++i) EXPECT_NEAR(own[i], left[i], 1e-4);
    const at::Tensor table = to_tensor(trained.at("embedding.weight"));
    EXPECT_EQ(table[kPad].abs().max().item<double>(), 0);
    // Between words of a group, and between words of different ones.
    double inside = 0, outside = 0;
    for (WordId word = kFirstWord + 4; word < kFirstWord + 16; ++word)
      for (WordId other = kFirstWord + 4; other < kFirstWord + 16; ++other)
        ((word - kFirstWord) / 4 == (other - kFirstWord) / 4 ? inside : outside) +=
            distance(table, word, other);
    return std::pair(inside, outside);
  };
  const auto [drawn, kept_apart] = spread_after(1.0);
  const auto [left, apart] = spread_after(1e-6);
  EXPECT_LT(drawn, 0.5 * left);
  EXPECT_LT(drawn / kept_apart, 0.9 * left / apart);
}

}  // namespace
}  // namespace textcrs
