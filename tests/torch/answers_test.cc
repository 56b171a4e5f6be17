// The answers of the word models in LibTorch: what a copy is to them, and which class wins.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "engine/draw_copies.h"
#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"
#include "torch/network.h"

namespace textcrs {
namespace {

class Answers : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Classifier> fresh(uint64_t seed = 1) const {
    return small_classifier(folder_.path(), small_config(GetParam()), seed);
  }
  // Of the whole batch at once, and of the engine, which runs every copy by itself: they agree.
  static std::vector<int> answers(const Classifier& classifier, const CopyBatch& batch) {
    const std::vector<int> alone =
        torch_backend().reference_engine(classifier, "cpu")->classify(batch);
    if (batch.copies.empty()) return alone;
    const at::NoGradGuard no_grad;
    const at::Tensor logits = make_network(classifier, at::kCPU)->forward(batch, nullptr);
    const std::vector<float> values = to_plain(logits).values;
    EXPECT_EQ(highest(std::vector<double>(values.begin(), values.end()),
                      classifier.config().classes.size()),
              alone);
    return alone;
  }

  TemporaryFolder folder_;
};

TEST_P(Answers, AreTheSameOfAModelSavedAndLoaded) {
  const auto saved = fresh();
  saved->save(folder_.path() / "model");
  const auto loaded = Classifier::load(folder_.path() / "model");
  const CopyBatch batch = random_copies(300, 20, 2);
  const std::vector<int> found = answers(*saved, batch);
  EXPECT_EQ(answers(*loaded, batch), found);
  for (int label = 0; label < 3; ++label)
    EXPECT_GT(std::count(found.begin(), found.end(), label), 0) << label;
  EXPECT_NE(answers(*fresh(2), batch), found);
}

TEST_P(Answers, AnEmptyCopyIsASinglePad) {
  const auto classifier = fresh();
  const std::vector<int> found = answers(*classifier, {{{}, {kPad}, {5, 6}, {}}});
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[3], found[1]);
  // With a Gaussian the PAD's slot is what the answer hangs on: it must be drawn for both alike.
  CopyBatch empty{{}, 2}, pads{{}, 2};
  for (uint32_t i = 0; i < 50; ++i) {
    empty.copies.emplace_back();
    pads.copies.push_back({kPad});
    empty.gaussians.emplace_back(9, i, 0, 1);
    pads.gaussians.emplace_back(9, i, 0, 1);
  }
  const std::vector<int> noisy = answers(*classifier, empty);
  EXPECT_EQ(noisy, answers(*classifier, pads));
  EXPECT_NE(std::count(noisy.begin(), noisy.end(), noisy[0]), 50);
}

TEST_P(Answers, CopiesAreCutToTheSlots) {
  const auto classifier = fresh();  // 12 slots
  CopyBatch whole, cut, shorter;
  for (uint32_t i = 0; i < 200; ++i) {
    Stream stream(3, i, 0);
    std::vector<WordId> words(12 + stream.below(10));
    for (WordId& word : words) word = static_cast<WordId>(3 + stream.below(20));
    whole.copies.push_back(words);
    words.resize(12);
    cut.copies.push_back(words);
    words.resize(6);
    shorter.copies.push_back(words);
  }
  EXPECT_EQ(answers(*classifier, whole), answers(*classifier, cut));
  EXPECT_NE(answers(*classifier, whole), answers(*classifier, shorter));
}

TEST_P(Answers, FollowTheirCopiesThroughTheBatch) {
  const auto classifier = fresh();
  const CopyBatch batch = random_copies(150, 20, 4);
  const std::vector<int> expected = answers(*classifier, batch);
  std::vector<size_t> order(batch.copies.size());
  std::iota(order.begin(), order.end(), 0);
  Stream(6, 0, 0).shuffle(std::span(order));
  CopyBatch shuffled;
  for (size_t from : order) shuffled.copies.push_back(batch.copies[from]);
  const std::vector<int> found = answers(*classifier, shuffled);
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], expected[order[i]]) << i;
  for (size_t i = 0; i < 20; ++i)
    EXPECT_EQ(answers(*classifier, {{batch.copies[i]}}), std::vector<int>{expected[i]}) << i;
}

TEST_P(Answers, AnEmptyBatchHasNone) {
  const auto classifier = fresh();
  EXPECT_TRUE(answers(*classifier, {}).empty());
  EXPECT_TRUE(torch_backend().reference_engine(*classifier, "cpu")->scores({}).empty());
}

TEST_P(Answers, TiesGoToTheLowestClass) {
  // A head of zeros ties all classes; raising the last bias decides for it.
  const auto classifier = fresh();
  FloatTensor head = classifier->weights().at("head.weight");
  std::fill(head.values.begin(), head.values.end(), 0.0f);
  const auto with_bias = [&](const std::vector<float>& bias) {
    classifier->assign({{"head.weight", head}, {"head.bias", {{3}, bias}}});
    return answers(*classifier, random_copies(20, 10, 5));
  };
  EXPECT_EQ(with_bias({0, 0, 0}), std::vector<int>(20, 0));
  EXPECT_EQ(with_bias({0, 0, 1}), std::vector<int>(20, 2));
  EXPECT_EQ(with_bias({-1, 0, 0}), std::vector<int>(20, 1));
}

INSTANTIATE_TEST_SUITE_P(Architectures, Answers, testing::Values("bilstm", "cnn"),
                         [](const auto& architecture) { return architecture.param; });

TEST(Devices, ThatAreNotThereAreUsageErrors) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("cnn"));
  for (const std::string device : {"tpu", "", "cuda:7", "CPU", "cuda"}) {
    if (device == "cuda" && at::hasCUDA()) continue;
    const std::string message = expect_error(
        ErrorKind::kUsage, [&] { torch_backend().reference_engine(*classifier, device); });
    EXPECT_NE(message.find(device), std::string::npos) << message;
    expect_error(ErrorKind::kUsage,
                 [&] { torch_backend().learner(*classifier, {.device = device}); });
  }
}

}  // namespace
}  // namespace textcrs
