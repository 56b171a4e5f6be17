// The reference engine's votes: what they count, and all they must not depend on.
#include "torch/reference_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <thread>

#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"
#include "torch/libtorch_threads.h"

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
    return torch_backend().reference_engine(*classifier_, "cpu",
                                            {.threads = threads, .batch_size = batch_size});
  }
  Votes votes(const SampleRange& range) const { return engine()->votes(text_, *noise_, range); }

  // The same without an engine: one tile after the other.
  Votes votes_by_tiles(const SampleRange& range) const {
    const auto network = make_network(*classifier_, at::kCPU);
    const LibTorchThreads alone(1);
    const at::NoGradGuard no_grad;
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
      const at::Tensor answers = network->forward(batch, nullptr).argmax(1);
      for (int64_t i = 0; i < answers.size(0); ++i)
        ++votes[static_cast<size_t>(answers[i].item<int64_t>())];
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

TEST_P(ReferenceEngine, VotesOfSeveralTextsAreThoseOfEachAlone) {
  const Words empty, one = {5}, long_one(30, 7);
  const std::vector<TextSamples> samples = {
      {text_, {1, 2, 0, 300}},          {empty, {1, 3, 0, 40}},     {one, {1, 4, 70, 70}},  // none
      {one, {1, 4, 100, 331}},          {long_one, {1, 2, 0, 129}}, {text_, {9, 2, 17, 18}},
      {text_, {1, 2, 0, 300, 104, 105}}};
  std::vector<Votes> expected;
  for (const auto& [text, range] : samples)
    expected.push_back(engine()->votes(text, *noise_, range));
  for (const int threads : {1, 3})
    for (const int batch_size : {0, 1, 1000})
      EXPECT_EQ(engine(threads, batch_size)->votes(samples, *noise_), expected)
          << threads << " " << batch_size;
  EXPECT_NE(expected.front(), expected.back()) << "the lanes change nothing";
  EXPECT_TRUE(engine()->votes(std::span<const TextSamples>(), *noise_).empty());
}

INSTANTIATE_TEST_SUITE_P(Models, ReferenceEngine,
                         testing::Combine(testing::Values("bilstm", "cnn"),
                                          testing::Values("universal:p=0.5", "insert:sigma=0.8",
                                                          "gaussian:sigma=0.8")));

TEST(ReferenceEngineWithoutNoise, GivesAllVotesToOneClass) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("bilstm"), 2);
  const auto engine = torch_backend().reference_engine(*classifier, "cpu");
  const auto noise = make_noise("none");
  for (WordId word = 0; word < 23; ++word) {
    const Words text = {word, 5, word};
    Votes expected(3);
    CopyBatch alone;
    alone.copies = {text};
    expected[static_cast<size_t>(engine->classify(alone)[0])] = 200;
    EXPECT_EQ(engine->votes(text, *noise, {1, 0, 0, 200}), expected) << word;
  }
}

TEST(ReferenceEngineWithoutNoise, TakesAnEmptyText) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("bilstm"), 2);
  const Votes found = torch_backend()
                          .reference_engine(*classifier, "cpu")
                          ->votes(Text(), *make_noise("delete:p=0.3"), {1, 0, 0, 50});
  EXPECT_EQ(std::count(found.begin(), found.end(), 50), 1);
}

// A network whose answer for a copy is decided by the size of the batch it is in, as the last bits
// of a real one's are: class (size mod 7).
class SizeTelling : public Network {
 public:
  using Network::Network;
  at::Tensor forward(const CopyView& batch, const TrainingStep*) const override {
    const auto size = static_cast<int64_t>(batch.size());
    at::Tensor logits = at::zeros({size, 7});
    logits.select(1, size % 7).fill_(1);
    return logits;
  }
};

class ReferenceEngineTiles : public testing::Test {
 protected:
  ReferenceEngineTiles() {
    ModelConfig config = small_config("bilstm");
    config.classes.assign(7, "class");
    classifier_ = small_classifier(folder_.path(), config);
  }
  std::unique_ptr<Engine> engine(int threads = 1, int batch_size = 0) const {
    return make_network_engine(std::make_unique<SizeTelling>(*classifier_, at::kCPU),
                               {.threads = threads, .batch_size = batch_size});
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  const std::unique_ptr<Noise> noise_ = make_noise("none");
  const Words text_ = {3, 4};
};

TEST_F(ReferenceEngineTiles, AreCutAtMultiplesOf128WhateverWasAskedFor) {
  // [60, 1100): tiles of 68, seven times 128, and 76; mod 7 these are 5, 2 and 6.
  const Votes expected = {0, 0, 7 * 128, 0, 0, 68, 76};
  for (const int threads : {1, 2})
    for (const int batch_size : {0, 1, 128, 1000})
      EXPECT_EQ(engine(threads, batch_size)->votes(text_, *noise_, {1, 0, 60, 1100}), expected)
          << threads << " " << batch_size;
  EXPECT_EQ(engine()->votes(text_, *noise_, {1, 0, 60, 256}) +
                engine()->votes(text_, *noise_, {1, 0, 256, 1100}),
            expected);
}

TEST_F(ReferenceEngineTiles, HoldSamplesOfOneTextOnly) {
  const std::vector<TextSamples> samples = {
      {text_, {1, 0, 60, 1100}}, {text_, {1, 1, 0, 10}}, {text_, {1, 2, 0, 10}}};
  for (const int threads : {1, 2})
    for (const int batch_size : {0, 1, 128, 1000})
      EXPECT_EQ(engine(threads, batch_size)->votes(samples, *noise_),
                (std::vector<Votes>{
                    {0, 0, 7 * 128, 0, 0, 68, 76}, {0, 0, 0, 10, 0, 0, 0}, {0, 0, 0, 10, 0, 0, 0}}))
          << threads << " " << batch_size;
}

// 128, 128 and 44 copies.
TEST_F(ReferenceEngineTiles, AreThoseOfScoresToo) {
  std::vector<double> expected(300 * 7);
  for (size_t i = 0; i < 300; ++i) expected[i * 7 + (i < 256 ? 128 : 44) % 7] = 1;
  for (const int batch_size : {0, 1, 1000})
    EXPECT_EQ(engine(2, batch_size)->scores(random_copies(300, 10, 1)), expected);
}

// One copy's scores overflow.
class Overflowing : public Network {
 public:
  using Network::Network;
  at::Tensor forward(const CopyView& batch, const TrainingStep*) const override {
    at::Tensor logits = at::zeros({static_cast<int64_t>(batch.size()), 7});
    logits[0][3] = std::numeric_limits<float>::max();
    return logits * 2;
  }
};

TEST_F(ReferenceEngineTiles, NeverVoteByScoresThatAreNotFinite) {
  const auto one = make_network_engine(std::make_unique<Overflowing>(*classifier_, at::kCPU), {});
  CopyBatch batch;
  batch.copies = {{3, 4}};
  EXPECT_THAT(expect_error(ErrorKind::kFailed,
                           [&] {
                             one->votes(text_, *noise_, {1, 0, 0, 200});
                           }),
              testing::StartsWith("reference: "));
  EXPECT_THAT(expect_error(ErrorKind::kFailed, [&] { one->classify(batch); }),
              testing::StartsWith("reference: "));
}

}  // namespace
}  // namespace textcrs
