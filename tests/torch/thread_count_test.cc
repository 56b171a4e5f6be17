// What is learnt does not depend on the number of threads, bit by bit; and on the CPU, where a step
// goes through the network in parts, it is the step of the whole batch.
#include <gtest/gtest.h>

#include "any_model.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"
#include "torch/masked_lm_network.h"
#include "torch/masked_parts.h"
#include "torch/network.h"

namespace textcrs {
namespace {

constexpr int kOtherThreads[] = {2, 3, 4, 8};

class ThreadCount : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  // Large enough for LibTorch and the BLAS under it to divide their work.
  std::unique_ptr<Classifier> model(double dropout) const {
    const bool is_bert = find_architecture(GetParam()).reads_pieces;
    ModelConfig config = is_bert ? TinyBert().config() : small_config(GetParam());
    config.classes = {"no", "yes", "maybe"};
    config.dropout = dropout;
    config.input_dropout = is_bert ? 0 : dropout;
    if (is_bert) return TinyBert().classifier(small_words(), config);
    config.hidden = 70;
    config.slots = 80;
    return small_classifier(folder_.path(), config);
  }
  LabelledBatch batch(uint64_t seed) const {
    const bool is_bert = find_architecture(GetParam()).reads_pieces;
    LabelledBatch batch{random_copies(130, is_bert ? 10 : 80, seed), {}};
    for (int64_t i = 0; i < 130; ++i) batch.labels.push_back(i % 3);
    return batch;
  }
  Weights learnt(const LearnerOptions& options) const {
    const auto classifier = model(0.2);
    const auto learner = torch_backend().learner(*classifier, options);
    for (int64_t step = 0; step < 3; ++step)
      learner->step(batch(static_cast<uint64_t>(step)), step, 0.01);
    return learner->parameters();
  }

  TemporaryFolder folder_;
};

TEST_P(ThreadCount, DoesNotDecideTheWeights) {
  LearnerOptions options = {.threads = 1, .weight_decay = 0.1, .gradient_clip = 0.1};
  const Weights expected = learnt(options);
  for (const int threads : kOtherThreads) {
    options.threads = threads;
    EXPECT_TRUE(learnt(options) == expected) << threads;
  }
}

TEST_P(ThreadCount, PartsHaveTheGradientOfTheWhole) {
  const auto classifier = model(0);
  const LabelledBatch texts = batch(1);
  const auto network = make_network(*classifier, at::kCPU);
  const at::Tensor loss = at::cross_entropy_loss(network->forward(texts.copies, nullptr),
                                                 at::tensor(texts.labels, at::kLong));
  loss.backward();

  const auto learner = torch_backend().learner(*classifier, {.threads = 2});
  EXPECT_NEAR(learner->step(texts, 0, 0.01), loss.item<double>(), 1e-5);
  const Weights moments = learner->moments();
  for (const auto& [name, weights] : learner->parameters()) {
    const at::Tensor found = to_tensor(moments.at("m." + name)).mul(10);  // m is a tenth of it
    const at::Tensor expected = network->parameters().at(name).grad();
    EXPECT_LT((found - expected).abs().max().item<float>(),
              1e-4f * expected.abs().max().item<float>() + 1e-6f)
        << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Architectures, ThreadCount, testing::ValuesIn(learnt_architectures()),
                         [](const auto& architecture) { return architecture.param; });

// Forty sequences, every third without anything to guess.
MaskedBatch masked_batch(uint64_t seed) {
  MaskedBatch batch;
  batch.rows.starts = {0};
  for (uint32_t s = 0; s < 40; ++s) {
    Stream stream(seed, s, 0);
    const int32_t first = batch.rows.starts.back();
    const auto length = static_cast<int32_t>(3 + stream.below(8));
    for (int32_t t = 0; t < length; ++t)
      batch.rows.pieces.push_back(static_cast<int32_t>(5 + stream.below(50)));
    batch.rows.starts.push_back(first + length);
    batch.rows.longest = std::max<int>(batch.rows.longest, length);
    for (int32_t t = 1; s % 3 != 0 && t < length; t += 2) {
      batch.rows.places.push_back(first + t);
      batch.targets.push_back(5 + stream.below(50));
    }
  }
  return batch;
}

TEST(MaskedParts, AreTheBatchOneAfterTheOther) {
  const MaskedBatch whole = masked_batch(3);
  for (const int count : {1, 2, 7, 16, 40, 1000}) {
    size_t at = 0, sequences = 0;  // in `whole`: its next target
    for (const MaskedBatch& part : masked_parts(whole, count)) {
      ASSERT_FALSE(part.targets.empty());
      ASSERT_EQ(part.targets.size(), part.rows.places.size());
      ASSERT_EQ(part.rows.starts.front(), 0);
      ASSERT_EQ(static_cast<size_t>(part.rows.starts.back()), part.rows.pieces.size());
      sequences += part.rows.starts.size() - 1;
      int longest = 0;
      for (size_t s = 0; s + 1 < part.rows.starts.size(); ++s)
        longest = std::max(longest, part.rows.starts[s + 1] - part.rows.starts[s]);
      EXPECT_EQ(part.rows.longest, longest);
      const int64_t shift = whole.rows.places[at] - part.rows.places[0];
      for (size_t m = 0; m < part.targets.size(); ++m, ++at) {
        EXPECT_EQ(part.targets[m], whole.targets[at]);
        EXPECT_EQ(part.rows.places[m] + shift, whole.rows.places[at]);
      }
      for (size_t i = 0; i < part.rows.pieces.size(); ++i)
        EXPECT_EQ(part.rows.pieces[i], whole.rows.pieces[i + static_cast<size_t>(shift)]);
    }
    EXPECT_EQ(at, whole.targets.size()) << count;
    EXPECT_LE(sequences, 40u);
    if (count <= 16) EXPECT_EQ(sequences, 40u);  // each part has two or more
  }
}

class MaskedThreadCount : public testing::Test {
 protected:
  MaskedThreadCount() { TinyBert().write(folder()); }
  std::filesystem::path folder() const { return folder_.path() / "bert"; }
  TemporaryFolder folder_;
};

TEST_F(MaskedThreadCount, DoesNotDecideTheWeightsNorTheGuesses) {
  const auto learnt = [&](int threads) {
    const auto model = torch_backend().masked_lm(folder(), "cpu");
    const auto learner = model->learner({.threads = threads, .dropout = 0.1, .gradient_clip = 0.1});
    for (int64_t step = 0; step < 3; ++step)
      learner->step(masked_batch(static_cast<uint64_t>(step)), step, 0.01);
    const GuessCounts counts = learner->guess(masked_batch(9));
    return std::tuple(learner->parameters(), counts.loss, counts.right, counts.places);
  };
  const auto expected = learnt(1);
  for (const int threads : kOtherThreads) EXPECT_TRUE(learnt(threads) == expected) << threads;
}

TEST_F(MaskedThreadCount, PartsHaveTheGradientOfTheWhole) {
  const MaskedBatch batch = masked_batch(4);
  const MaskedLmNetwork network(folder(), PretrainedBert(folder(), 1), at::kCPU);
  const at::Tensor loss = at::cross_entropy_loss(network.scores(batch.rows, nullptr),
                                                 at::tensor(batch.targets, at::kLong));
  loss.backward();
  const auto model = torch_backend().masked_lm(folder(), "cpu");
  const auto learner = model->learner({.threads = 3});
  EXPECT_NEAR(learner->step(batch, 0, 0.01), loss.item<double>(), 1e-5);
  const Weights moments = learner->moments();
  for (const auto& [name, parameter] : network.parameters()) {
    const at::Tensor found = to_tensor(moments.at("m." + name)).mul(10);
    EXPECT_LT((found - parameter.grad()).abs().max().item<float>(),
              1e-4f * parameter.grad().abs().max().item<float>() + 1e-6f)
        << name;
  }
}

}  // namespace
}  // namespace textcrs
