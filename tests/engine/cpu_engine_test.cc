// The cpu engine on word models, on every ISA the machine has: what its answers depend on.
// tests/torch compares them with LibTorch's.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "engine/draw_copies.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/error.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;

Words words_of(size_t count) {
  Words text;
  for (size_t i = 0; i < count; ++i) text.push_back(static_cast<WordId>(3 + i * 7 % 20));
  return text;
}

class CpuEngine : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  CpuEngine() {
    ModelConfig config = small_config(GetParam());
    config.hidden = 37;
    classifier_ = small_classifier(folder_.path(), config, 2);
    // With a head that answers each class about as often.
    const TextSamples samples{text_, {1, 0, 0, 200}};
    CopyBatch batch;
    SampleList({&samples, 1}, *noise("universal:p=0.3")).draw(0, 200, batch);
    const auto scores = engine(Precision::kFp32, Isa::kPortable)->scores(batch);
    FloatTensor bias = classifier_->weights().at("head.bias");
    for (size_t i = 0; i < scores.size(); ++i)
      bias.values[i % 3] -= static_cast<float>(scores[i] / 200);
    classifier_->assign({{"head.bias", bias}});
  }

  std::unique_ptr<Noise> noise(const std::string& spec) const {
    return make_noise(spec, {&classifier_->vocabulary(), nullptr, classifier_->config().slots});
  }
  std::unique_ptr<Engine> engine(Precision precision, Isa isa, int threads = 1,
                                 int batch_size = 0) const {
    return make_cpu_engine(*classifier_, {.threads = threads,
                                          .batch_size = batch_size,
                                          .precision = precision,
                                          .isa = std::string(to_string(isa))});
  }

  const Words text_ = words_of(11);
  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
};

TEST_P(CpuEngine, TextsAtOnceAreThoseThatThreadsAreLeftFor) {
  const auto six = engine(Precision::kFp32, Isa::kPortable, 6);
  EXPECT_EQ(six->texts_at_once(), 1);
  for (const uint64_t copies : {0, 1, 32}) EXPECT_EQ(six->texts_at_once_of(copies), 6) << copies;
  EXPECT_EQ(six->texts_at_once_of(33), 3);
  EXPECT_EQ(six->texts_at_once_of(65), 2);
  for (const uint64_t copies : {97, 192, 100000})
    EXPECT_EQ(six->texts_at_once_of(copies), 1) << copies;
  EXPECT_EQ(engine(Precision::kFp32, Isa::kPortable, 6, 100)->texts_at_once_of(150), 3);
  EXPECT_EQ(engine(Precision::kFp32, Isa::kPortable, 1)->texts_at_once_of(1), 1);
}

TEST_P(CpuEngine, VotesDependOnTheSamplesAlone) {
  for (const std::string spec : {"universal:p=0.3", "insert:sigma=0.5", "gaussian:sigma=0.5"}) {
    const auto drawn = noise(spec);
    for (const Isa isa : available_isas()) {
      const Votes expected = engine(Precision::kBf16, isa)->votes(text_, *drawn, {5, 2, 0, 500});
      EXPECT_LT(*std::max_element(expected.begin(), expected.end()), 500) << "trivial";
      for (const int threads : {0, 2, 5})
        for (const int batch_size : {1, 3, 64, 10000})
          EXPECT_EQ(engine(Precision::kBf16, isa, threads, batch_size)
                        ->votes(text_, *drawn, {5, 2, 0, 500}),
                    expected)
              << spec << " " << to_string(isa) << " " << threads << " " << batch_size;
      Votes sum = engine(Precision::kBf16, isa)->votes(text_, *drawn, {5, 2, 0, 77});
      const Votes rest = engine(Precision::kBf16, isa)->votes(text_, *drawn, {5, 2, 77, 500});
      std::transform(sum.begin(), sum.end(), rest.begin(), sum.begin(), std::plus<>());
      EXPECT_EQ(sum, expected);
    }
  }
}

TEST_P(CpuEngine, CountsEverySampleOnce) {
  const auto one = engine(Precision::kBf16, Isa::kPortable);
  const auto drawn = noise("universal:p=0.5");
  for (const uint32_t end : {0u, 1u, 127u, 128u, 129u, 1000u}) {
    const Votes found = one->votes(words_of(9), *drawn, {1, 2, 0, end});
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(std::accumulate(found.begin(), found.end(), int64_t{0}), end);
    EXPECT_GE(*std::min_element(found.begin(), found.end()), 0);
  }
}

TEST_P(CpuEngine, VotesAreTheClassesOfTheSamples) {
  for (const std::string spec : {"universal:p=0.3", "insert:sigma=0.5", "gaussian:sigma=0.5"}) {
    const auto drawn = noise(spec);
    const TextSamples samples{text_, {5, 2, 60, 460}};
    CopyBatch batch;
    SampleList({&samples, 1}, *drawn).draw(0, 400, batch);
    for (const Isa isa : available_isas()) {
      const auto one = engine(Precision::kBf16, isa);
      Votes expected(3);
      for (const int answer : one->classify(batch)) ++expected[static_cast<size_t>(answer)];
      EXPECT_LT(*std::max_element(expected.begin(), expected.end()), 400) << "trivial";
      EXPECT_EQ(one->votes(text_, *drawn, samples.range), expected) << to_string(isa);
    }
  }
}

TEST_P(CpuEngine, VotesOfSeveralTextsAreThoseOfEachAlone) {
  const std::vector<Words> texts = {text_, {}, words_of(1), words_of(30)};
  const std::vector<TextSamples> samples = {
      {texts[0], {5, 2, 0, 300}},   {texts[1], {5, 3, 0, 40}},
      {texts[2], {6, 2, 70, 70}},  // none
      {texts[2], {5, 4, 100, 331}}, {texts[3], {5, 2, 0, 129}},
      {texts[0], {5, 2, 17, 18}},   {texts[0], {5, 2, 0, 300, 104, 105}}};
  for (const std::string spec :
       {"none", "universal:p=0.3", "adapt:keep=2", "insert:sigma=0.5", "gaussian:sigma=0.5"}) {
    const auto drawn = noise(spec);
    for (const Isa isa : available_isas()) {
      std::vector<Votes> expected;
      for (const auto& [text, range] : samples)
        expected.push_back(engine(Precision::kBf16, isa)->votes(text, *drawn, range));
      for (const int threads : {1, 3})
        for (const int batch_size : {0, 1, 50, 10000})
          EXPECT_EQ(engine(Precision::kBf16, isa, threads, batch_size)->votes(samples, *drawn),
                    expected)
              << spec << " " << to_string(isa) << " " << threads << " " << batch_size;
    }
  }
  EXPECT_TRUE(engine(Precision::kBf16, Isa::kPortable)
                  ->votes(std::span<const TextSamples>(), *noise("none"))
                  .empty());
}

TEST_P(CpuEngine, ClassesAreThoseOfTheHighestScores) {
  CopyBatch batch = random_copies(500, 20, 41);  // some are empty, some longer than the slots
  for (const double sigma : {0.0, 0.8}) {
    batch.sigma = sigma;
    if (sigma > 0)
      for (uint32_t i = 0; i < 500; ++i) batch.gaussians.emplace_back(8, 0, i, lane::kGaussian);
    for (const Isa isa : available_isas()) {
      const auto scores = engine(Precision::kBf16, isa)->scores(batch);
      ASSERT_EQ(scores.size(), 1500u);
      const auto classes = engine(Precision::kBf16, isa)->classify(batch);
      EXPECT_EQ(classes, highest(scores, 3)) << to_string(isa);
      EXPECT_LT(std::count(classes.begin(), classes.end(), classes[0]), 500) << "trivial";
    }
  }
}

TEST_P(CpuEngine, ACopysScoresDoNotDependOnItsNeighboursThreadsOrBatches) {
  CopyBatch batch = random_copies(400, 14, 43);
  for (const double sigma : {0.0, 0.8}) {
    batch.sigma = sigma;
    if (sigma > 0)
      for (uint32_t i = 0; i < 400; ++i) batch.gaussians.emplace_back(8, 0, i, lane::kGaussian);
    for (const Isa isa : available_isas()) {
      SCOPED_TRACE(to_string(isa));
      const auto one = engine(Precision::kBf16, isa);
      const auto together = one->scores(batch);
      for (const auto& [threads, batch_size] : {std::pair{2, 0}, {3, 7}, {1, 1000}, {1, -1}})
        EXPECT_EQ(engine(Precision::kBf16, isa, threads, batch_size)->scores(batch), together);
      CopyBatch backwards = batch;
      std::reverse(backwards.copies.begin(), backwards.copies.end());
      std::reverse(backwards.gaussians.begin(), backwards.gaussians.end());
      const auto reversed = one->scores(backwards);
      for (size_t i = 0; i < 400; ++i) {
        const std::vector<double> expected(together.begin() + static_cast<ptrdiff_t>(3 * i),
                                           together.begin() + static_cast<ptrdiff_t>(3 * i + 3));
        const auto turned = reversed.begin() + static_cast<ptrdiff_t>(3 * (399 - i));
        ASSERT_EQ(std::vector<double>(turned, turned + 3), expected) << i;
        CopyBatch alone{.copies = {batch.copies[i]}, .sigma = sigma, .gaussians = {}, .own = {}};
        if (sigma > 0) alone.gaussians = {batch.gaussians[i]};
        ASSERT_EQ(one->scores(alone), expected) << i;
        ASSERT_EQ(one->classify(alone), highest(expected, 3)) << i;
      }
    }
  }
}

TEST_P(CpuEngine, OfNothingThereAreNoScores) {
  const auto one = engine(Precision::kBf16, Isa::kPortable);
  EXPECT_TRUE(one->scores({}).empty());
  EXPECT_TRUE(one->classify({}).empty());
}

// Word 2i under the noise of sample 2i and word 2i + 1 under that of 2i + 1 have the same noisy
// vector: its class must be the same, for the certificate (docs/certificates.md, B5) is about a
// classifier of that sum.
TEST_P(CpuEngine, UnderTheGaussianOnlyTheSumMatters) {
  constexpr int kPairs = 1500;
  constexpr float kSigma = 30;
  const ModelConfig& config = classifier_->config();
  std::vector<std::string> words;
  for (int i = 0; i < 2 * kPairs; ++i) words.push_back("word" + std::to_string(i));
  FloatTensor vectors{{kFirstWord + 2 * kPairs, config.dimension}, {}};
  vectors.values.resize(static_cast<size_t>(elements_of(vectors.shape)));
  CopyBatch batch;
  batch.sigma = kSigma;
  std::vector<float> noise[2];
  for (auto& values : noise) values.resize(static_cast<size_t>(config.dimension));
  for (int i = 0; i < 2 * kPairs; ++i) {
    batch.copies.push_back({kFirstWord + i});
    batch.gaussians.emplace_back(9, 0, static_cast<uint32_t>(i), lane::kGaussian);
    Stream(batch.gaussians.back()).normals(noise[i % 2]);
    if (i % 2 == 0) continue;
    float* first = vectors.values.data() + (kFirstWord + i - 1) * config.dimension;
    float* second = first + config.dimension;
    for (int d = 0; d < config.dimension; ++d) {
      const auto at = static_cast<size_t>(d);
      second[d] = first[d] + kSigma * (noise[0][at] - noise[1][at]);
    }
  }
  Weights weights = {{config.kind().embedding, std::move(vectors)}};
  for (const TensorSpec& spec : config.kind().tensors(config))
    weights[spec.name] = fresh_tensor(spec, 3);
  const Classifier classifier(config, Vocabulary(words), {}, std::move(weights));
  for (const Isa isa : available_isas()) {
    const auto found =
        make_cpu_engine(classifier, {.threads = 1, .isa = std::string(to_string(isa))})
            ->classify(batch);
    int different = 0;
    for (size_t i = 0; i < found.size(); i += 2) different += found[i] != found[i + 1];
    EXPECT_LE(different, 1) << to_string(isa);
    EXPECT_GT(std::count(found.begin(), found.end(), found[0]), 10);
    EXPECT_LT(std::count(found.begin(), found.end(), found[0]), 2 * kPairs - 10) << "trivial";
  }
}

INSTANTIATE_TEST_SUITE_P(Models, CpuEngine, testing::Values("bilstm", "cnn"));

TEST(CpuEngineOverflow, NeverVotes) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("cnn"), 2);
  const Words text = words_of(11);
  const auto drawn = make_noise("none");
  const auto ask = [&](Isa isa, Precision precision) {
    return make_cpu_engine(
               *classifier,
               {.threads = 2, .precision = precision, .isa = std::string(to_string(isa))})
        ->votes(text, *drawn, {1, 0, 0, 300});
  };
  for (const Precision precision : {Precision::kFp32, Precision::kBf16})
    EXPECT_NO_THROW(ask(Isa::kPortable, precision));
  FloatTensor weight = classifier->weights().at("conv3.weight");
  // (hidden, 6, 3), finite: the middle word's first number is multiplied by it.
  std::fill(weight.values.begin(), weight.values.end(), 0.0f);
  for (size_t i = 1; i < weight.values.size(); i += 18) weight.values[i] = 3e38f;
  classifier->assign({{"conv3.weight", weight}});
  for (const Isa isa : available_isas())
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      if (precision == Precision::kFp32 && (isa == Isa::kAvx512Bf16 || isa == Isa::kAmx)) continue;
      try {
        ask(isa, precision);
        FAIL() << to_string(isa) << " " << to_string(precision);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kFailed);
        EXPECT_TRUE(std::string_view(error.what()).starts_with("cpu ")) << error.what();
      }
    }
}

TEST(CpuEngineOptions, WhatTheMachineLacksIsRefused) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("bilstm"), 2);
  EXPECT_THROW(make_cpu_engine(*classifier, {.isa = "abacus"}), Error);
  EXPECT_THROW(make_cpu_engine(*classifier, {.precision = Precision::kFp32, .isa = "amx"}), Error);
  EXPECT_EQ(
      make_cpu_engine(*classifier, {.precision = Precision::kFp32, .isa = "portable"})->name(),
      "cpu fp32 portable");
  const std::string best = make_cpu_engine(*classifier)->name();
  EXPECT_EQ(best, "cpu bf16 " + std::string(to_string(best_isa(Precision::kBf16))));
}

}  // namespace
}  // namespace textcrs
