// Interval bounds against every substitution there is, and against points of the boxes.
#include "engine/interval_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/word_boxes.h"
#include "kernels/cnn.h"
#include "model/interval_models.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using Text = std::vector<WordId>;

class IntervalModels : public testing::TestWithParam<const char*> {};

void expect_inside(const Box& box, const std::vector<double>& point) {
  ASSERT_EQ(point.size(), box.low.size());
  for (size_t i = 0; i < point.size(); ++i) {
    ASSERT_LE(box.low[i], point[i]) << i;
    ASSERT_GE(box.high[i], point[i]) << i;
  }
}

TEST_P(IntervalModels, BoundsHoldForEverySubstitution) {
  for (const double spread : {0.0, 0.05, 1.0}) {
    const auto classifier = interval_classifier(GetParam(), spread, 3);
    const IntervalModel model(*classifier);
    for (const Text& words : interval_texts(21)) {
      const Box box = model.feature_bounds(words);
      const int top = model.prediction(words);
      const std::vector<double> leads = model.least_leads(words, top);
      for (const Text& text : all_substitutions(classifier->synonyms(), words)) {
        expect_inside(box, model.features(text));
        const std::vector<double> scores = model.scores(text);
        for (size_t c = 0; c < scores.size(); ++c)
          ASSERT_LE(leads[c], scores[static_cast<size_t>(top)] - scores[c] + 1e-300);
      }
    }
  }
}

TEST_P(IntervalModels, WhatIsCertainIsTheAnswerForEverySubstitution) {
  int certain = 0, uncertain = 0;
  for (uint64_t seed = 1; seed <= 4; ++seed)
    for (const double spread : {0.02, 0.1, 1.0}) {
      const auto classifier = interval_classifier(GetParam(), spread, seed);
      const IntervalModel model(*classifier);
      for (const Text& words : interval_texts(14)) {
        const int top = model.prediction(words);
        if (!model.is_certain(words, top)) {
          ++uncertain;
          continue;
        }
        ++certain;
        for (const Text& text : all_substitutions(classifier->synonyms(), words))
          ASSERT_EQ(model.prediction(text), top);
      }
    }
  EXPECT_GT(certain, 20);
  EXPECT_GT(uncertain, 20);
}

// A model whose word w7 has a vector anywhere between those of its candidates.
TEST_P(IntervalModels, BoundsHoldForEveryPointBetweenTheCandidates) {
  const auto boxed = interval_classifier(GetParam(), 0.5, 4);
  const IntervalModel model(*boxed);
  const WordId word = kFirstWord + 7;
  const Text text = {word, kFirstWord + 1, word, kFirstWord + 12, word};
  const Box box = model.feature_bounds(text);
  const FloatTensor& vectors = boxed->weights().at("embedding.weight");
  ModelConfig config = boxed->config();
  config.trained_vectors = true;
  Classifier moved(config, boxed->vocabulary(), boxed->synonyms(), boxed->weights());
  for (uint32_t draw = 0; draw < 200; ++draw) {
    Stream stream(9, draw, 0);
    Weights changed = {{"embedding.weight", vectors}};
    // A point of the hull: the bounds are those of the images of its corners.
    std::vector<double> share = {stream.uniform(), stream.uniform(), stream.uniform(),
                                 stream.uniform()};
    if (draw < 4) share = {0, 0, 0, 0}, share[draw] = 1;
    const double sum = share[0] + share[1] + share[2] + share[3];
    for (size_t d = 0; d < kSmallDimension; ++d) {
      double mean = 0;
      for (size_t i = 0; i < 4; ++i)
        mean +=
            share[i] / sum *
            double{vectors.values[(static_cast<size_t>(kFirstWord) + 4 + i) * kSmallDimension + d]};
      changed.at("embedding.weight").values[static_cast<size_t>(word) * kSmallDimension + d] =
          static_cast<float>(mean);
    }
    moved.assign(changed);
    std::vector<double> point = IntervalModel(moved).features(text);
    // The mean itself was rounded to float.
    Box wider = box;
    for (double& low : wider.low) low -= 1e-5;
    for (double& high : wider.high) high += 1e-5;
    expect_inside(wider, point);
  }
}

TEST_P(IntervalModels, WithoutCandidatesTheBoundsAreThePoint) {
  const auto classifier = interval_classifier(GetParam(), 0.5, 5);
  const IntervalModel model(*classifier);
  for (const Text& text :
       {Text{}, Text{kUnk}, Text{kFirstWord, kFirstWord + 1, kUnk}, Text(30, kFirstWord + 2)}) {
    const Box box = model.feature_bounds(text);
    const std::vector<double> point = model.features(text);
    expect_inside(box, point);
    for (size_t i = 0; i < point.size(); ++i) EXPECT_LT(box.high[i] - box.low[i], 1e-4);
    const std::vector<double> scores = model.scores(text), leads = model.least_leads(text, 1);
    for (size_t c = 0; c < scores.size(); ++c) EXPECT_NEAR(leads[c], scores[1] - scores[c], 1e-4);
  }
}

TEST_P(IntervalModels, WordsBehindTheSlotsAreNotRead) {
  const auto classifier = interval_classifier(GetParam(), 0.5, 5);
  const IntervalModel model(*classifier);
  Text text(12, kFirstWord + 9);
  const std::vector<double> scores = model.scores(text);
  const Box box = model.feature_bounds(text);
  text.push_back(kFirstWord + 15);
  EXPECT_EQ(model.scores(text), scores);
  EXPECT_EQ(model.feature_bounds(text).high, box.high);
}

TEST_P(IntervalModels, WeightsThatAreNotFiniteAreRefused) {
  const auto classifier = interval_classifier(GetParam(), 0.5, 5);
  for (const auto& [name, tensor] : classifier->weights()) {
    Weights weights = classifier->weights();
    weights.at(name).values.back() = NAN;
    const Classifier broken(classifier->config(), classifier->vocabulary(), classifier->synonyms(),
                            weights);
    EXPECT_THROW(IntervalModel{broken}, Error) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, IntervalModels, testing::Values("cnn", "bilstm"));

// Of one word a filter is a linear form, so its bounds are attained.
TEST(IntervalCnn, BoundsOfOneWordAreTight) {
  const auto classifier = interval_classifier("cnn", 1.0, 6);
  const IntervalModel model(*classifier);
  const Text word = {kFirstWord + 5};
  const Box box = model.feature_bounds(word);
  std::vector<double> least(box.low.size(), 1e9), most(box.low.size(), -1e9);
  for (const Text& text : all_substitutions(classifier->synonyms(), word)) {
    const std::vector<double> point = model.features(text);
    for (size_t i = 0; i < point.size(); ++i) {
      least[i] = std::min(least[i], point[i]);
      most[i] = std::max(most[i], point[i]);
    }
  }
  for (size_t i = 0; i < least.size(); ++i) {
    EXPECT_NEAR(box.low[i], least[i], 1e-5);
    EXPECT_NEAR(box.high[i], most[i], 1e-5);
  }
}

// One word of which one candidate changes the answer by a hair: the lead of the others is not
// enough.
TEST(IntervalCnn, AnAnswerThatOneCandidateChangesIsNotCertain) {
  const auto classifier = interval_classifier("cnn", 1.0, 6);
  Weights weights = classifier->weights();
  for (auto& [name, tensor] : weights)
    if (name != "embedding.weight") std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
  // The first filter of three words reads the first coordinate of a window's first word.
  weights.at("conv3.weight").values[0] = 1;
  auto& vectors = weights.at("embedding.weight").values;
  const auto first = [&](WordId word) -> float& {
    return vectors[static_cast<size_t>(word) * kSmallDimension];
  };
  weights.at("head.weight").values[0] = 1;  // class 0 by the filter, class 1 by its bias, 2 never
  weights.at("head.bias").values = {0, 1, -9};
  for (WordId word = kFirstWord + 4; word < kFirstWord + 8; ++word) first(word) = 1.5F;
  const auto is_certain = [&] {
    const Classifier made(classifier->config(), classifier->vocabulary(), classifier->synonyms(),
                          weights);
    const IntervalModel model(made);
    EXPECT_EQ(model.prediction(Text{kFirstWord + 4}), 0);
    return model.is_certain(Text{kFirstWord + 4}, 0);
  };
  EXPECT_TRUE(is_certain());
  first(kFirstWord + 6) = 1.001F;
  EXPECT_TRUE(is_certain());
  first(kFirstWord + 6) = 1;  // a tie, which goes to class 0: not promised
  EXPECT_FALSE(is_certain());
  first(kFirstWord + 6) = 0.999F;
  EXPECT_FALSE(is_certain());
}

TEST(IntervalModel, OtherArchitecturesHaveNoBounds) {
  const auto votes = small_votes(small_config("votes"));
  EXPECT_THROW(IntervalModel{*votes}, Error);
}

}  // namespace
}  // namespace textcrs
