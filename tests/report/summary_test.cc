#include "textcrs/report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace textcrs {
namespace {

using testing::ElementsAre;

Record text(std::optional<std::string> label, const std::string& prediction,
            std::optional<double> radius, Operation operation = Operation::kDeletion) {
  Record record;
  record.label = std::move(label);
  record.prediction = prediction;
  record.certification.samples = 100;
  record.seconds = 0.5;
  if (radius) {
    record.certification.sound.certified = true;
    record.certification.sound.guarantees = {{operation, kUnitWords, *radius}};
  } else {
    record.certification.abstained = true;
  }
  return record;
}

std::vector<std::pair<double, double>> points(const Curve& curve) {
  std::vector<std::pair<double, double>> list;
  for (const CurvePoint& point : curve.points)
    list.emplace_back(point.radius, point.certified_accuracy);
  return list;
}

// Right: radii 0, 1, 7 and one abstained on. Wrong: 50. Without a label: 90.
TEST(Summary, CountsByHand) {
  const std::vector<Record> records = {text("pos", "pos", 7),  text("neg", "neg", 0),
                                       text("pos", "neg", 50), text(std::nullopt, "pos", 90),
                                       text("pos", "pos", 1),  text("neg", "neg", std::nullopt)};
  const Summary summary = summarize(records);
  EXPECT_EQ(summary.texts, 6u);
  EXPECT_EQ(summary.labelled, 5u);
  EXPECT_EQ(summary.abstained, 1u);
  EXPECT_EQ(summary.samples, 600u);
  EXPECT_EQ(summary.seconds, 3.0);
  EXPECT_EQ(summary.accuracy, 4.0 / 5);
  EXPECT_EQ(summary.answered_accuracy, 3.0 / 5);
  EXPECT_EQ(accuracy_in_words(summary),
            "smoothed accuracy 80.0 % if an abstention counts by its guess, 60.0 % if it counts as "
            "wrong; abstained 1");
  ASSERT_EQ(summary.sound.size(), 1u);
  EXPECT_EQ(summary.sound[0].operation, Operation::kDeletion);
  EXPECT_THAT(points(summary.sound[0]),
              ElementsAre(std::pair(0.0, 3.0 / 5), std::pair(1.0, 2.0 / 5), std::pair(2.0, 1.0 / 5),
                          std::pair(5.0, 1.0 / 5)));
  EXPECT_TRUE(summary.paper.empty());
  EXPECT_FALSE(summary.saved);
  EXPECT_EQ(table(summary.sound),
            "deletion      radius         0       1       2       5\n"
            "              %           60.0    40.0    20.0    20.0\n");
}

TEST(Summary, UnlimitedAndFractionalRadiiHaveTheirPlace) {
  const Summary whole = summarize({text("a", "a", kUnlimited, Operation::kReordering),
                                   text("a", "a", 3, Operation::kReordering)});
  EXPECT_THAT(points(whole.sound[0]), ElementsAre(std::pair(0.0, 1.0), std::pair(1.0, 1.0),
                                                  std::pair(2.0, 1.0), std::pair(kUnlimited, 0.5)));
  EXPECT_EQ(table(whole.sound),
            "reordering    radius         0       1       2     any\n"
            "              %          100.0   100.0   100.0    50.0\n");
  const Summary fractions = summarize({text("a", "a", 0.25), text("a", "b", 0.75)});
  EXPECT_THAT(points(fractions.sound[0]),
              ElementsAre(std::pair(0.0, 0.5), std::pair(0.001, 0.5), std::pair(0.002, 0.5),
                          std::pair(0.005, 0.5), std::pair(0.01, 0.5), std::pair(0.02, 0.5),
                          std::pair(0.05, 0.5), std::pair(0.1, 0.5), std::pair(0.2, 0.5)));
}

TEST(Summary, TheJsonIsFixed) {
  std::vector<Record> records = {text("a", "a", 1), text("b", "b", 2, Operation::kEdit)};
  records[0].certification.paper = records[0].certification.sound;
  records[0].stops = records[1].stops = true;
  records[0].certification.stop = StopReason::kReached;
  const Summary summary = summarize(records, 1000);
  EXPECT_EQ(to_json(summary), R"({
  "texts": 2,
  "labelled": 2,
  "abstained": 0,
  "samples": 200,
  "seconds": 1.0,
  "accuracy": 1.0,
  "answered_accuracy": 1.0,
  "sound": {
    "deletion": [
      {
        "radius": 0,
        "certified_accuracy": 0.5
      },
      {
        "radius": 1,
        "certified_accuracy": 0.5
      }
    ],
    "edit": [
      {
        "radius": 0,
        "certified_accuracy": 0.5
      },
      {
        "radius": 1,
        "certified_accuracy": 0.5
      },
      {
        "radius": 2,
        "certified_accuracy": 0.5
      }
    ]
  },
  "paper": {
    "proved": false,
    "deletion": [
      {
        "radius": 0,
        "certified_accuracy": 0.5
      },
      {
        "radius": 1,
        "certified_accuracy": 0.5
      }
    ]
  },
  "samples_saved": 1800,
  "stops": {
    "reached": 1,
    "all_drawn": 1
  }
}
)");
  EXPECT_EQ(savings_in_words(summary),
            "samples: 200 used (10.0 %), 1800 saved; why each text stopped:\n"
            "  reached           1  the radius is certified\n"
            "  all_drawn         1  no early stop: all samples were drawn");
}

TEST(Summary, WithoutLabelsThereAreNoAccuracies) {
  const Summary summary = summarize({text(std::nullopt, "a", 1)});
  EXPECT_EQ(to_json(summary),
            "{\n  \"texts\": 1,\n  \"labelled\": 0,\n  \"abstained\": 0,\n  \"samples\": 100,\n"
            "  \"seconds\": 0.5\n}\n");
  EXPECT_EQ(table(summary.sound), "");
  EXPECT_EQ(summarize({}).texts, 0u);
}

}  // namespace
}  // namespace textcrs
