#include "textcrs/report/threshold_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <nlohmann/json.hpp>

#include "certified/fake_fallback.h"
#include "certified/named_votes.h"
#include "certified/tiny_models.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

BothAnswers text(int label, int votes, int fallback, int64_t lead) {
  BothAnswers both{label, votes, fallback, lead, {}, lead / 4.0};
  for (size_t r = 0; r < kEditsShown.size(); ++r)
    both.lead_after[r] = lead - 4 * static_cast<int64_t>(kEditsShown[r]);
  return both;
}

// The strongest vote is 4. The votes are wrong at a lead of 1 and of 5, the fallback at 9 and 13.
ThresholdChoice by_hand() {
  return ThresholdChoice({text(1, 1, 0, 13), text(1, 1, 0, 9), text(0, 1, 0, 5), text(1, 0, 1, 1)},
                         4);
}

TEST(ThresholdChoice, CountsByHand) {
  const ThresholdChoice choice = by_hand();
  ASSERT_THAT(choice.all(), SizeIs(5));
  std::vector<double> thresholds, by_votes, accuracies, one, two;
  for (const ThresholdFigures& figures : choice.all()) {
    thresholds.push_back(figures.threshold);
    by_votes.push_back(figures.by_votes);
    accuracies.push_back(figures.accuracy);
    one.push_back(figures.certified[0]);
    two.push_back(figures.certified[1]);
  }
  EXPECT_THAT(thresholds, ElementsAre(0, 0.3, 1.3, 2.3, 3.3));
  EXPECT_THAT(by_votes, ElementsAre(1, 0.75, 0.5, 0.25, 0));
  EXPECT_THAT(accuracies, ElementsAre(0.5, 0.75, 1, 0.75, 0.5));
  // After one edit leads of 9 and 5 are left: above 1 and (9 only) above 5.
  EXPECT_THAT(one, ElementsAre(0.5, 0.5, 0.25, 0, 0));
  EXPECT_THAT(two, ElementsAre(0.5, 0.25, 0, 0, 0));
}

TEST(ThresholdChoice, TakesTheSmallestThatIsGoodEnough) {
  const ThresholdChoice choice = by_hand();
  EXPECT_EQ(choice.smallest_for(0.5)->threshold, 0);
  EXPECT_EQ(choice.smallest_for(0.6)->threshold, 0.3);
  EXPECT_EQ(choice.smallest_for(0.75)->threshold, 0.3);
  EXPECT_EQ(choice.smallest_for(1)->threshold, 1.3);
  EXPECT_EQ(choice.best().threshold, 1.3);
  const ThresholdChoice wrong({text(1, 0, 0, 3)}, 4);
  EXPECT_FALSE(wrong.smallest_for(0.1));
  EXPECT_EQ(wrong.best().threshold, 0);
}

TEST(ThresholdChoice, TiesGoToTheFallbackAtAnyThreshold) {
  const ThresholdChoice choice({text(1, 0, 1, 0), text(0, 0, 1, 0)}, 4);
  ASSERT_THAT(choice.all(), SizeIs(2));
  EXPECT_EQ(choice.all()[0].by_votes, 1);
  EXPECT_GT(choice.all()[1].threshold, 0);
  EXPECT_EQ(choice.all()[1].by_votes, 0);
}

TEST(ThresholdChoice, TheOverviewIsShort) {
  std::vector<BothAnswers> texts;
  for (int64_t lead = 1; lead <= 1000; ++lead) texts.push_back(text(1, 1, 1, lead));
  const ThresholdChoice choice(texts, 4);
  EXPECT_THAT(choice.all(), SizeIs(1001));
  const auto rows = choice.overview(choice.all()[333]);
  EXPECT_THAT(rows, SizeIs(13));
  EXPECT_EQ(rows.front().threshold, 0);
  EXPECT_EQ(rows.back().by_votes, 0);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.threshold < b.threshold;
  }));
  EXPECT_THAT(choice.overview(std::nullopt), SizeIs(12));
  EXPECT_THAT(choice.overview(choice.all()[0]), SizeIs(12));
}

TEST(ThresholdChoice, InATable) {
  EXPECT_EQ(table(by_hand().overview(std::nullopt)),
            "threshold  % by votes  accuracy  1 edit  2 edits  3 edits  5 edits  10 edits\n"
            "0               100.0      50.0    50.0     50.0     25.0      0.0       0.0\n"
            "0.3              75.0      75.0    50.0     25.0      0.0      0.0       0.0\n"
            "1.3              50.0     100.0    25.0      0.0      0.0      0.0       0.0\n"
            "2.3              25.0      75.0     0.0      0.0      0.0      0.0       0.0\n"
            "3.3               0.0      50.0     0.0      0.0      0.0      0.0       0.0\n");
}

TEST(ThresholdChoice, AsJson) {
  const ThresholdReport report{"0123", "4567", "films", 4, 4, 0.75};
  const json all = json::parse(to_json(report, by_hand()));
  EXPECT_EQ(all["model"], "0123");
  EXPECT_EQ(all["fallback"], "4567");
  EXPECT_EQ(all["texts"], 4);
  EXPECT_EQ(all["strongest_vote"], 4);
  EXPECT_EQ(all["wanted"], 0.75);
  EXPECT_EQ(all["chosen"], json::parse(R"({"threshold": 0.3, "by_votes": 0.75, "accuracy": 0.75,
      "certified_accuracy": {"1": 0.5, "2": 0.25, "3": 0.0, "5": 0.0, "10": 0.0}})"));
  EXPECT_EQ(all["best"]["threshold"], 1.3);
  EXPECT_THAT(all["thresholds"], SizeIs(5));
  const json none = json::parse(to_json({"0123", "4567", "films", 4, 4, {}}, by_hand()));
  EXPECT_TRUE(none["wanted"].is_null());
  EXPECT_TRUE(none["chosen"].is_null());
}

TEST(ThresholdChoice, RefusesNothingToCount) {
  EXPECT_THROW(ThresholdChoice({}, 4), std::logic_error);
  EXPECT_THROW(ThresholdChoice({text(1, 1, 1, 1)}, 0), std::logic_error);
}

// Against the cascade itself at each threshold.
class WithACascade : public testing::Test {
 protected:
  WithACascade() {
    texts_.name = "words";
    texts_.classes = {"no", "yes"};
    for (uint32_t i = 0; i < 200; ++i) {
      Stream stream(41, i, 0);
      std::string words;
      for (uint32_t w = stream.below(9); w > 0; --w) words += " " + table_[stream.below(3)].word;
      texts_.examples.push_back({i, words, static_cast<int>(stream.below(2))});
    }
  }

  CascadeClassifier cascade(double threshold, int texts_at_once = 1) const {
    auto fallback = std::make_unique<FakeFallback>(
        texts_.classes, [](const std::string& read) { return static_cast<int>(read.size() % 2); });
    fallback->set_texts_at_once(texts_at_once);
    return CascadeClassifier(
        std::make_unique<VotingClassifier>(named_votes(texts_.classes, table_)),
        std::move(fallback), threshold);
  }

  std::vector<NamedScores> table_ = {{"good", {-2, 2}}, {"bad", {3, -3}}, {"film", {0, 1}}};
  Dataset texts_;
};

TEST_F(WithACascade, TheFiguresAreThoseOfTheCascade) {
  const CascadeClassifier any = cascade(1, 4);
  const ThresholdChoice choice(ask_both(any, texts_), any.votes().strongest_vote());
  EXPECT_GT(choice.all().size(), 10u);
  for (const ThresholdFigures& figures : choice.all()) {
    SCOPED_TRACE(figures.threshold);
    const CascadeClassifier at = cascade(figures.threshold, 4);
    size_t right = 0, by_votes = 0;
    PerEdits<size_t> certified = {};
    for (const Example& example : texts_.examples) {
      const Certification answer = at.certify(at.words(example.text), example.id);
      by_votes += !answer.by_fallback;
      right += answer.prediction == example.label;
      for (size_t r = 0; r < kEditsShown.size(); ++r)
        certified[r] +=
            answer.prediction == example.label && answer.sound.certified &&
            answer.sound.radius(Operation::kEdit) >= static_cast<double>(kEditsShown[r]);
    }
    EXPECT_DOUBLE_EQ(figures.accuracy, static_cast<double>(right) / 200);
    EXPECT_DOUBLE_EQ(figures.by_votes, static_cast<double>(by_votes) / 200);
    for (size_t r = 0; r < kEditsShown.size(); ++r)
      EXPECT_DOUBLE_EQ(figures.certified[r], static_cast<double>(certified[r]) / 200) << r;
    const Evaluation evaluation = evaluate(at, texts_);
    EXPECT_DOUBLE_EQ(evaluation.classes.accuracy(), figures.accuracy);
    EXPECT_EQ(evaluation.fallback->texts, 200 - by_votes);
    EXPECT_EQ(evaluation.fallback->threshold, figures.threshold);
    const json said = json::parse(to_json(evaluation));
    EXPECT_EQ(said["by_fallback"], 200 - by_votes);
    EXPECT_EQ(said["threshold"], figures.threshold);
    EXPECT_EQ(said["fallback"], "fedcba9876543210");
  }
}

TEST_F(WithACascade, SaysHowFarItCame) {
  std::atomic<bool> stop{false};
  const auto report = [&](const EvaluationProgress& progress) {
    EXPECT_TRUE(progress.seconds_left);
    if (progress.done == 3) stop = true;
  };
  try {
    ask_both(cascade(1), texts_, report, StopToken(stop));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    EXPECT_THAT(error.what(), HasSubstr("after 3 of 200 texts"));
  }
  texts_.examples[0].label = kNoLabel;
  EXPECT_THROW(ask_both(cascade(1), texts_), std::logic_error);
  EXPECT_THROW(evaluate(cascade(1), texts_), std::logic_error);
}

}  // namespace
}  // namespace textcrs
