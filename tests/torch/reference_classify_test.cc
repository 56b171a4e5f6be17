// The class of single copies in the reference engine: each by itself, whatever else is asked for at
// the same time.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/draw_copies.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"
#include "torch/libtorch_threads.h"
#include "torch/reference_engine.h"

namespace textcrs {
namespace {

class Classify : public testing::TestWithParam<std::string> {
 protected:
  Classify() {
    classifier_ = small_classifier(folder_.path(), small_config(GetParam()), 2);
    Stream stream(31, 0, 0);
    for (size_t i = 0; i < 300; ++i) {
      Words copy(stream.below(20));  // some are empty, some longer than the slots
      for (WordId& word : copy) word = static_cast<WordId>(1 + stream.below(22));
      batch_.copies.push_back(copy);
    }
  }
  std::unique_ptr<Engine> engine(int threads = 1, int batch_size = 0) const {
    return torch_backend().reference_engine(*classifier_, "cpu",
                                            {.threads = threads, .batch_size = batch_size});
  }
  void add_gaussians() {
    batch_.sigma = 0.8;
    for (uint32_t i = 0; i < batch_.copies.size(); ++i)
      batch_.gaussians.emplace_back(8, 0, i, lane::kGaussian);
  }
  // The scores of one copy after the other.
  std::vector<double> alone() const {
    const auto network = make_network(*classifier_, at::kCPU);
    const LibTorchThreads one_thread(1);
    const at::NoGradGuard no_grad;
    std::vector<double> scores;
    for (size_t i = 0; i < batch_.copies.size(); ++i) {
      const at::Tensor found = network->forward(CopyView(batch_).part(i, 1), nullptr);
      for (int64_t c = 0; c < 3; ++c) scores.push_back(found[0][c].item<float>());
    }
    return scores;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  CopyBatch batch_;
};

TEST_P(Classify, IsTheClassifierOnOneCopyAfterTheOther) {
  for (const bool noisy : {false, true}) {
    if (noisy) add_gaussians();
    const std::vector<int> expected = highest(alone(), 3);
    EXPECT_GT(std::set<int>(expected.begin(), expected.end()).size(), 1u) << "the case is trivial";
    for (const int threads : {0, 1, 2, 5})
      for (const int batch_size : {0, 1, 1000})
        EXPECT_EQ(engine(threads, batch_size)->classify(batch_), expected)
            << threads << " " << batch_size;
  }
  EXPECT_TRUE(engine()->classify(CopyBatch()).empty());
}

TEST_P(Classify, IsTheClassOfTheHighestScore) {
  for (const bool noisy : {false, true}) {
    if (noisy) add_gaussians();
    const std::vector<double> expected = alone();
    const std::vector<int> classes = engine()->classify(batch_);
    for (const int threads : {1, 3})
      for (const int batch_size : {0, 1, 1000}) {
        const std::vector<double> scores = engine(threads, batch_size)->scores(batch_);
        ASSERT_EQ(scores.size(), expected.size());
        for (size_t i = 0; i < scores.size(); ++i) EXPECT_NEAR(scores[i], expected[i], 1e-5) << i;
        // No copy is so near to a tie that its last bits decide.
        EXPECT_EQ(highest(scores, 3), classes);
        EXPECT_EQ(scores, engine()->scores(batch_));
      }
  }
  EXPECT_TRUE(engine()->scores(CopyBatch()).empty());
}

INSTANTIATE_TEST_SUITE_P(Models, Classify, testing::Values("bilstm", "cnn"));

// A network whose answer is decided by the size of the batch: class min(size, 6).
class SizeTelling : public Network {
 public:
  using Network::Network;
  at::Tensor forward(const CopyView& copies, const TrainingStep*) const override {
    const auto size = static_cast<int64_t>(copies.size());
    at::Tensor logits = at::zeros({size, 7});
    logits.select(1, std::min<int64_t>(size, 6)).fill_(1);
    return logits;
  }
};

// Exact certification asks for the class of every outcome, whatever else is in the batch.
TEST(ClassifyAlone, AnAnswerDependsOnItsCopyAlone) {
  const TemporaryFolder folder;
  ModelConfig config = small_config("bilstm");
  config.classes.assign(7, "class");
  const auto classifier = small_classifier(folder.path(), config);
  const SizeTelling network(*classifier, at::kCPU);
  CopyBatch batch;
  batch.copies.assign(100, Words{3, 4, 5});
  for (const int batch_size : {0, 1, 1000})
    EXPECT_EQ(
        make_network_engine(network, {.threads = 2, .batch_size = batch_size})->classify(batch),
        std::vector<int>(100, 1));
}

}  // namespace
}  // namespace textcrs
