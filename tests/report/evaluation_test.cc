#include "textcrs/report/evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "certified/tiny_models.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/smoothed_accuracy.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

// More copies than one part of the engine holds.
constexpr size_t kTexts = 300;
constexpr int kCopies = 60;

class EvaluationTest : public testing::Test {
 protected:
  EvaluationTest() : model_(tiny_cnn("universal:p=0.7")) {
    texts_.name = "words";
    texts_.classes = model_->config().classes;
    for (uint32_t i = 0; i < kTexts; ++i) {
      Stream stream(31, i, 0);
      std::string text;
      for (uint32_t w = stream.below(10); w > 0; --w)
        text += "w" + std::to_string(stream.below(20)) + " ";
      texts_.examples.push_back({i, text, static_cast<int>(stream.below(3))});
    }
  }

  std::unique_ptr<Classifier> model_;
  std::unique_ptr<Noise> noise_ = make_noise("universal:p=0.7");
  std::unique_ptr<Engine> engine_ = make_cpu_engine(*model_, {.threads = 2});
  Dataset texts_;
};

TEST_F(EvaluationTest, CountsTheAnswersOfTheSmoothedClassifier) {
  std::vector<size_t> done;
  std::optional<double> left;
  const auto report = [&](const EvaluationProgress& progress) {
    EXPECT_EQ(progress.texts, kTexts);
    done.push_back(progress.done);
    left = progress.seconds_left;
  };
  const Evaluation evaluation =
      evaluate(*model_, *engine_, *noise_, texts_, {.copies = kCopies, .seed = 5}, report);
  const auto encoded = encode_all(texts_, *model_);
  const std::vector<int> answers = smoothed_answers(*engine_, *noise_, encoded, kCopies, 5);
  ClassReport expected(texts_.classes, ClassReport::Abstentions::kNever);
  for (size_t i = 0; i < kTexts; ++i)
    expected.add(static_cast<size_t>(texts_.examples[i].label), static_cast<size_t>(answers[i]));
  EXPECT_EQ(class_table(evaluation.classes), class_table(expected));
  EXPECT_EQ(confusion_table(evaluation.classes), confusion_table(expected));
  EXPECT_EQ(evaluation.classes.accuracy(),
            smoothed_accuracy(*engine_, *noise_, encoded, kCopies, 5));
  EXPECT_GT(done.size(), 1u);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_EQ(done.back(), kTexts);
  ASSERT_TRUE(left);
  EXPECT_NEAR(*left, 0, 1e-9);
  EXPECT_EQ(evaluation.model, model_->fingerprint());
  EXPECT_EQ(evaluation.copies, kCopies);
}

TEST_F(EvaluationTest, EstimatesTheTimeLeftAsSoonAsATextIsDone) {
  texts_.examples.resize(2);
  std::vector<size_t> done;
  const auto report = [&](const EvaluationProgress& progress) {
    done.push_back(progress.done);
    EXPECT_EQ(progress.seconds_left.has_value(), progress.done > 0) << progress.done;
  };
  const int copies = static_cast<int>(engine_->part_size()) + 1;
  evaluate(*model_, *engine_, *noise_, texts_, {.copies = copies}, report);
  EXPECT_EQ(done.front(), 0u);
  EXPECT_EQ(done.back(), 2u);
}

TEST_F(EvaluationTest, WithoutNoiseOneCopyAnswers) {
  EXPECT_EQ(evaluate(*model_, *engine_, *make_noise("none"), texts_, {.copies = 50}).copies, 1);
}

TEST_F(EvaluationTest, StopsWhenAsked) {
  std::atomic<bool> stop{false};
  const auto report = [&](const EvaluationProgress&) { stop = true; };
  try {
    evaluate(*model_, *engine_, *noise_, texts_, {.copies = kCopies}, report, StopToken(stop));
    ADD_FAILURE() << "not interrupted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    EXPECT_THAT(error.what(), HasSubstr("of 300 texts"));
    EXPECT_THAT(error.what(), testing::Not(HasSubstr("after 0 of")));
  }
}

TEST_F(EvaluationTest, NeedsTheModelsLabels) {
  texts_.examples[7].label = kNoLabel;
  EXPECT_THROW(evaluate(*model_, *engine_, *noise_, texts_, {}), std::logic_error);
  texts_.examples[7].label = 0;
  texts_.classes = {"yes", "no", "maybe"};
  EXPECT_THROW(evaluate(*model_, *engine_, *noise_, texts_, {}), std::logic_error);
}

TEST(Evaluation, AsJson) {
  Evaluation evaluation = {"0123",
                           "films",
                           "none",
                           "cpu fp32",
                           1,
                           7,
                           ClassReport({"neg", "pos"}, ClassReport::Abstentions::kNever)};
  evaluation.classes.add(0, 0);
  evaluation.classes.add(1, 0);
  EXPECT_EQ(to_json(evaluation),
            R"({"model":"0123","data":"films","noise":"none","engine":"cpu fp32","copies":1,)"
            R"("seed":7,"texts":2,"accuracy":0.5,"classes":[{"class":"neg","texts":1,)"
            R"("answered":2,"right":1,"precision":0.5,"recall":1.0,"f1":0.6666666666666666},)"
            R"({"class":"pos","texts":1,"answered":0,"right":0,"precision":null,"recall":0.0,)"
            R"("f1":0.0}],"confusion":{"neg":{"neg":1},"pos":{"neg":1}}})");
}

}  // namespace
}  // namespace textcrs
