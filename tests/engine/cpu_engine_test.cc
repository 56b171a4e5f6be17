// The cpu engine against the reference, on every ISA the machine has.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "model/network.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/error.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;

const std::vector<std::string> kNoises = {
    "none",       "delete:p=0.3",  "universal:p=0.7",  "reorder:full",
    "mask:p=0.4", "delete:p=0.99", "insert:sigma=0.5", "reorder:block=3",
};

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
  static bool knows(Isa isa, Precision precision) {
    return precision == Precision::kBf16 || isa < Isa::kAvx512Bf16;
  }
  // The lead of the best score over the next.
  double lead(const Words& copy) const {
    const at::NoGradGuard no_grad;
    const at::Tensor scores = std::get<0>(
        classifier_->network().forward({{copy}, 0, {}}, nullptr)[0].sort(0, /*descending=*/true));
    return (scores[0] - scores[1]).item<double>();
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
};

TEST_P(CpuEngine, ClassifiesAsTheReferenceButForTies) {
  std::vector<Words> copies;
  Stream stream(41, 0, 0);
  for (int i = 0; i < 3000; ++i) {
    Words copy(stream.below(20));  // some are empty, some longer than the slots
    for (WordId& word : copy) word = static_cast<WordId>(stream.below(23));
    copies.push_back(copy);
  }
  const auto expected = make_reference_engine(*classifier_)->classify({copies, 0, {}});
  EXPECT_GT(std::count(expected.begin(), expected.end(), expected[0]), 0);
  EXPECT_LT(std::count(expected.begin(), expected.end(), expected[0]), 3000) << "trivial";
  for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
    for (const Isa isa : available_isas()) {
      if (!knows(isa, precision)) continue;
      SCOPED_TRACE(to_string(isa));
      const auto found = engine(precision, isa)->classify({copies, 0, {}});
      const double tie = precision == Precision::kFp32 ? 1e-5 : 1e-2;
      int different = 0;
      for (size_t i = 0; i < copies.size(); ++i) {
        if (found[i] == expected[i]) continue;
        ++different;
        EXPECT_LT(lead(copies[i]), tie) << i;
      }
      EXPECT_LE(different, precision == Precision::kFp32 ? 3 : 90);
    }
  }
}

TEST_P(CpuEngine, VotesLikeTheReference) {
  for (const std::string& spec : kNoises) {
    SCOPED_TRACE(spec);
    const auto drawn = noise(spec);
    const Words text = words_of(15);
    const SampleRange range{7, 3, 100, 1100};
    const Votes expected = make_reference_engine(*classifier_)->votes(text, *drawn, range);
    for (const Isa isa : available_isas()) {
      const Precision precision =
          knows(isa, Precision::kFp32) ? Precision::kFp32 : Precision::kBf16;
      const Votes found = engine(precision, isa)->votes(text, *drawn, range);
      EXPECT_EQ(std::accumulate(found.begin(), found.end(), int64_t{0}), 1000);
      for (size_t c = 0; c < found.size(); ++c)
        EXPECT_NEAR(static_cast<double>(found[c]), static_cast<double>(expected[c]),
                    precision == Precision::kFp32 ? 2 : 40)
            << to_string(isa);
    }
  }
}

TEST_P(CpuEngine, VotesDependOnTheSamplesAlone) {
  for (const std::string spec : {"universal:p=0.3", "insert:sigma=0.5"}) {
    const auto drawn = noise(spec);
    const Words text = words_of(11);
    for (const Isa isa : available_isas()) {
      const Votes expected = engine(Precision::kBf16, isa)->votes(text, *drawn, {5, 2, 0, 500});
      for (const int threads : {0, 2, 5})
        for (const int batch_size : {1, 3, 64, 10000})
          EXPECT_EQ(engine(Precision::kBf16, isa, threads, batch_size)
                        ->votes(text, *drawn, {5, 2, 0, 500}),
                    expected)
              << spec << " " << to_string(isa) << " " << threads << " " << batch_size;
      Votes sum = engine(Precision::kBf16, isa)->votes(text, *drawn, {5, 2, 0, 77});
      const Votes rest = engine(Precision::kBf16, isa)->votes(text, *drawn, {5, 2, 77, 500});
      std::transform(sum.begin(), sum.end(), rest.begin(), sum.begin(), std::plus<>());
      EXPECT_EQ(sum, expected);
    }
  }
}

TEST_P(CpuEngine, ACopysClassDoesNotDependOnItsNeighbours) {
  std::vector<Words> copies;
  Stream stream(43, 0, 0);
  for (int i = 0; i < 400; ++i) {
    Words copy(stream.below(14));
    for (WordId& word : copy) word = static_cast<WordId>(stream.below(23));
    copies.push_back(copy);
  }
  for (const Isa isa : available_isas()) {
    const auto one = engine(Precision::kBf16, isa);
    const auto together = one->classify({copies, 0, {}});
    std::vector<Words> backwards(copies.rbegin(), copies.rend());
    auto reversed = one->classify({backwards, 0, {}});
    std::reverse(reversed.begin(), reversed.end());
    EXPECT_EQ(reversed, together) << to_string(isa);
    for (size_t i = 0; i < copies.size(); ++i)
      ASSERT_EQ(one->classify({{copies[i]}, 0, {}})[0], together[i]) << i;
  }
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
  at::Tensor vectors = at::zeros({kFirstWord + 2 * kPairs, config.dimension}, at::kFloat);
  CopyBatch batch;
  batch.sigma = kSigma;
  std::vector<float> noise[2];
  for (auto& values : noise) values.resize(static_cast<size_t>(config.dimension));
  for (int i = 0; i < 2 * kPairs; ++i) {
    batch.copies.push_back({kFirstWord + i});
    batch.gaussians.emplace_back(9, 0, static_cast<uint32_t>(i), 1);
    Stream(batch.gaussians.back()).normals(noise[i % 2]);
    if (i % 2 == 0) continue;
    float* first = vectors.data_ptr<float>() + (kFirstWord + i - 1) * config.dimension;
    float* second = first + config.dimension;
    for (int d = 0; d < config.dimension; ++d) {
      const auto at = static_cast<size_t>(d);
      second[d] = first[d] + kSigma * (noise[0][at] - noise[1][at]);
    }
  }
  const Classifier classifier(config, Vocabulary(words), {},
                              make_network(config, vectors, FreshInitializer(3)));
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
