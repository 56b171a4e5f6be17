// The accuracy of a smoothed classifier: whose votes it counts, and what it does not depend on.
#include "textcrs/train/smoothed_accuracy.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

class SmoothedAccuracy : public testing::TestWithParam<std::string> {  // the engine
 protected:
  SmoothedAccuracy() {
    classifier_ = small_classifier(folder_.path(), small_config("bilstm"), 3);
    for (uint32_t i = 0; i < 320; ++i) {
      Stream stream(77, i, 0);
      Words words(stream.below(10));
      for (WordId& word : words) word = static_cast<WordId>(kFirstWord + stream.below(20));
      texts_.push_back({1000 + i, std::move(words), static_cast<int>(stream.below(3))});
    }
  }
  std::unique_ptr<Engine> engine(int threads = 1) const {
    return GetParam() == "cpu"
               ? make_cpu_engine(*classifier_, {.threads = threads})
               : torch_backend().reference_engine(*classifier_, "cpu", {.threads = threads});
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  std::vector<EncodedText> texts_;
};

TEST_P(SmoothedAccuracy, DoesNotDependOnThreadsOrOrder) {
  const auto noise = make_noise("universal:p=0.5");
  const double expected = smoothed_accuracy(*engine(), *noise, texts_, 5, 1);
  EXPECT_GT(expected, 0);
  EXPECT_LT(expected, 1);
  EXPECT_EQ(smoothed_accuracy(*engine(3), *noise, texts_, 5, 1), expected);
  std::reverse(texts_.begin(), texts_.end());
  EXPECT_EQ(smoothed_accuracy(*engine(), *noise, texts_, 5, 1), expected);
  EXPECT_EQ(smoothed_accuracy(*engine(), *noise, {}, 5, 1), 0);
}

TEST_P(SmoothedAccuracy, WithoutNoiseIsTheAccuracy) {
  CopyBatch batch;
  for (const auto& text : texts_) batch.copies.push_back(text.words);
  const auto answers = engine()->classify(batch);
  int right = 0;
  for (size_t i = 0; i < texts_.size(); ++i) right += answers[i] == texts_[i].label;
  EXPECT_EQ(smoothed_accuracy(*engine(), *make_noise("none"), texts_, 3, 1), right / 320.0);
}

// Copy k of text i comes from Stream(seed, i, k) in lanes that nothing else draws from.
TEST_P(SmoothedAccuracy, CountsTheVotesOfItsOwnSamples) {
  for (const char* spec : {"universal:p=0.7", "insert:sigma=2"}) {
    const auto noise = make_noise(spec, {nullptr, nullptr, classifier_->config().slots});
    int right = 0, certified = 0;
    for (const EncodedText& text : texts_) {
      const auto wins = [&](const SampleRange& range) {
        const auto votes = engine()->votes(text.text(), *noise, range);
        return std::max_element(votes.begin(), votes.end()) - votes.begin() == text.label;
      };
      right += wins({9, text.id, 0, 3, lane::kEvaluationWords, lane::kEvaluationGaussian});
      certified += wins({9, text.id, 0, 3});
    }
    EXPECT_EQ(smoothed_accuracy(*engine(), *noise, texts_, 3, 9), right / 320.0);
    EXPECT_NE(right, certified) << "trivial";
  }
}

// 320 texts of 100 copies are several parts, and some texts are in two of them.
TEST_P(SmoothedAccuracy, AnswersAreTheSameInPartsAndCanBeStopped) {
  const auto noise = make_noise("universal:p=0.5");
  std::vector<AnswerProgress> seen;
  const auto answers = smoothed_answers(*engine(), *noise, texts_, 100, 4,
                                        [&](const AnswerProgress& p) { seen.push_back(p); });
  ASSERT_EQ(answers.size(), texts_.size());
  for (size_t i = 0; i < texts_.size(); ++i) {
    const auto votes = engine()->votes(
        texts_[i].text(), *noise,
        {4, texts_[i].id, 0, 100, lane::kEvaluationWords, lane::kEvaluationGaussian});
    EXPECT_EQ(answers[i], std::max_element(votes.begin(), votes.end()) - votes.begin());
  }
  ASSERT_GT(seen.size(), 2u);
  for (size_t i = 1; i < seen.size(); ++i) EXPECT_GT(seen[i].share, seen[i - 1].share);
  EXPECT_EQ(seen.back().done, texts_.size());
  EXPECT_EQ(seen.back().share, 1);
  std::atomic<bool> stop{false};
  seen.clear();
  const AnswerReporter stop_after_one = [&](const AnswerProgress& progress) {
    seen.push_back(progress);
    stop = true;
  };
  EXPECT_THROW(smoothed_answers(*engine(), *noise, texts_, 100, 4, stop_after_one, StopToken(stop)),
               Error);
  EXPECT_EQ(seen.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Engines, SmoothedAccuracy, testing::Values("cpu", "reference"));

}  // namespace
}  // namespace textcrs
