// The reference engine's votes: what they count, and all they must not depend on.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "model/network.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;

constexpr uint32_t kTile = 128;  // where a CPU batch is cut

Votes operator+(Votes a, const Votes& b) {
  std::transform(a.begin(), a.end(), b.begin(), a.begin(), std::plus<>());
  return a;
}

class ReferenceEngine : public testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  ReferenceEngine() {
    ModelConfig config = small_config(std::get<0>(GetParam()));
    config.noise = std::get<1>(GetParam());
    classifier_ = small_classifier(folder_.path(), config, 2);
    noise_ = make_noise(config.noise,
                        {&classifier_->vocabulary(), &classifier_->synonyms(), config.slots});
    for (WordId word = 3; word < 13; ++word) text_.push_back(word);
  }
  std::unique_ptr<Engine> engine(int threads = 1, int batch_size = 0) const {
    return make_reference_engine(*classifier_, {threads, batch_size});
  }
  Votes votes(const SampleRange& range) const { return engine()->votes(text_, *noise_, range); }

  // The same without an engine: one tile after the other.
  Votes votes_by_tiles(const SampleRange& range) const {
    Votes votes(classifier_->config().classes.size());
    for (uint32_t begin = range.begin; begin < range.end;) {
      const uint32_t end = std::min(range.end, (begin / kTile + 1) * kTile);
      CopyBatch batch;
      batch.sigma = noise_->sigma();
      for (; begin < end; ++begin) {
        Stream stream(range.seed, range.example, begin);
        if (batch.sigma > 0) batch.gaussians.push_back(stream.lane(1));
        noise_->sample(text_, stream, batch.copies.emplace_back());
      }
      for (int answer : classifier_->classify(batch)) ++votes[static_cast<size_t>(answer)];
    }
    return votes;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  std::unique_ptr<Noise> noise_;
  Words text_;
};

TEST_P(ReferenceEngine, CountsEverySampleOnce) {
  for (const uint32_t end : {0u, 1u, 127u, 128u, 129u, 1000u}) {
    const Votes found = votes({1, 2, 0, end});
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), int64_t{0}), end);
    EXPECT_GE(*std::min_element(found.begin(), found.end()), 0);
  }
}

TEST_P(ReferenceEngine, IsTheClassifierOnTheCopiesOfTheStreams) {
  for (const SampleRange& range : {SampleRange{1, 2, 0, 1000}, SampleRange{1, 2, 100, 300},
                                   SampleRange{9, 0, 128, 129}, SampleRange{9, 7, 5, 6}}) {
    const Votes expected = votes_by_tiles(range);
    EXPECT_EQ(votes(range), expected);
    if (range.end == 1000) {
      EXPECT_LT(*std::max_element(expected.begin(), expected.end()), 1000) << "the case is trivial";
    }
  }
}

TEST_P(ReferenceEngine, DoesNotDependOnThreadsOrBatchSize) {
  const SampleRange range{1, 2, 60, 1100};
  const Votes expected = votes(range);
  for (const int threads : {0, 1, 2, 5})
    for (const int batch_size : {0, 1, 128, 1000})
      EXPECT_EQ(engine(threads, batch_size)->votes(text_, *noise_, range), expected)
          << threads << " " << batch_size;
}

TEST_P(ReferenceEngine, AddsUpWhereARangeIsCutAtTiles) {
  EXPECT_EQ(votes({1, 2, 0, 128}) + votes({1, 2, 128, 512}) + votes({1, 2, 512, 1000}),
            votes({1, 2, 0, 1000}));
}

TEST_P(ReferenceEngine, DoesNotDependOnTheOrderOfCallsOrOnOthers) {
  const auto shared = engine(2);
  std::vector<Votes> in_turn, reversed(4), at_once(4);
  for (uint32_t example = 0; example < 4; ++example)
    in_turn.push_back(shared->votes(text_, *noise_, {1, example, 0, 300}));
  for (uint32_t example = 4; example-- > 0;)
    reversed[example] = shared->votes(text_, *noise_, {1, example, 0, 300});
  {
    std::vector<std::jthread> threads;
    for (uint32_t example = 0; example < 4; ++example)
      threads.emplace_back([&, example] {
        at_once[example] = shared->votes(text_, *noise_, {1, example, 0, 300});
      });
  }
  EXPECT_EQ(reversed, in_turn);
  EXPECT_EQ(at_once, in_turn);
  EXPECT_FALSE(std::equal(in_turn.begin() + 1, in_turn.end(), in_turn.begin()));
  EXPECT_NE(votes({2, 0, 0, 300}), in_turn[0]);
}

INSTANTIATE_TEST_SUITE_P(Models, ReferenceEngine,
                         testing::Combine(testing::Values("bilstm", "cnn"),
                                          testing::Values("universal:p=0.5", "insert:sigma=0.8")));

TEST(ReferenceEngineWithoutNoise, GivesAllVotesToOneClass) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("bilstm"), 2);
  const auto engine = make_reference_engine(*classifier);
  const auto noise = make_noise("none");
  for (WordId word = 0; word < 23; ++word) {
    const Words text = {word, 5, word};
    Votes expected(3);
    expected[static_cast<size_t>(classifier->classify({{text}, 0, {}})[0])] = 200;
    EXPECT_EQ(engine->votes(text, *noise, {1, 0, 0, 200}), expected) << word;
  }
}

TEST(ReferenceEngineWithoutNoise, TakesAnEmptyText) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("bilstm"), 2);
  const Votes found =
      make_reference_engine(*classifier)->votes({}, *make_noise("delete:p=0.3"), {1, 0, 0, 50});
  EXPECT_EQ(std::count(found.begin(), found.end(), 50), 1);
}

// A network whose answer for a copy is decided by the size of the batch it is in, as the last bits
// of a real one's are: class (size mod 7).
class SizeTelling : public Network {
 public:
  using Network::Network;
  at::Tensor forward(const CopyBatch& batch, const TrainingStep*) const override {
    const auto size = static_cast<int64_t>(batch.copies.size());
    at::Tensor logits = at::zeros({size, 7});
    logits.select(1, size % 7).fill_(1);
    return logits;
  }
};

TEST(ReferenceEngineTiles, AreCutAtMultiplesOf128WhateverWasAskedFor) {
  ModelConfig config = small_config("bilstm");
  config.classes.assign(7, "class");
  const Classifier classifier(config, Vocabulary(small_words()), {},
                              std::make_unique<SizeTelling>(config, at::zeros({23, 6})));
  const auto noise = make_noise("none");
  const Words text = {3, 4};
  // [60, 1100): tiles of 68, seven times 128, and 76; mod 7 these are 5, 2 and 6.
  const Votes expected = {0, 0, 7 * 128, 0, 0, 68, 76};
  for (const int threads : {1, 2})
    for (const int batch_size : {0, 1, 128, 1000})
      EXPECT_EQ(make_reference_engine(classifier, {threads, batch_size})
                    ->votes(text, *noise, {1, 0, 60, 1100}),
                expected)
          << threads << " " << batch_size;
  const auto engine = make_reference_engine(classifier, {1, 0});
  EXPECT_EQ(
      engine->votes(text, *noise, {1, 0, 60, 256}) + engine->votes(text, *noise, {1, 0, 256, 1100}),
      expected);
}

}  // namespace
}  // namespace textcrs
