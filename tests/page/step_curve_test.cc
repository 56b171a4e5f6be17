#include "page/step_curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "page/made_run.h"

namespace textcrs {
namespace {

using testing::ElementsAre;

const StepCurve& curve_of(const std::vector<StepCurve>& curves, Operation operation) {
  for (const StepCurve& curve : curves)
    if (curve.operation == operation) return curve;
  throw std::runtime_error("no such curve");
}

// Right with 0, 3 and 3 edits, wrong with 5, abstained.
std::vector<Record> five() {
  return made_records({{.edits = 3},
                       {.edits = 0},
                       {.label = "neg", .edits = 5},
                       {.abstained = true},
                       {.edits = 3}});
}

TEST(StepCurve, CountsByHand) {
  const auto curves = step_curves(five(), &Certification::sound, Counted::kRightOfLabelled);
  ASSERT_EQ(curves.size(), 2u);
  EXPECT_EQ(curves[0].operation, Operation::kEdit);  // what most readers look for is first
  const StepCurve& edits = curves[0];
  EXPECT_EQ(edits.unit, kUnitWords);
  EXPECT_EQ(edits.all, 5u);
  EXPECT_THAT(edits.radii, ElementsAre(0, 3));
  EXPECT_THAT(edits.texts, ElementsAre(3u, 2u));
  EXPECT_EQ(edits.texts_at(0), 3u);
  EXPECT_EQ(edits.texts_at(1), 2u);
  EXPECT_EQ(edits.texts_at(3), 2u);
  EXPECT_EQ(edits.texts_at(3.01), 0u);
  EXPECT_EQ(edits.share_at(2), 0.4);
  EXPECT_EQ(edits.median(), 0);
  EXPECT_THAT(curve_of(curves, Operation::kDeletion).radii, ElementsAre(0, 6));
}

TEST(StepCurve, WithoutLabelsCountsAllThatAreAnswered) {
  std::vector<Record> records = five();
  for (Record& record : records) record.label.reset();
  const auto curves = step_curves(records, &Certification::sound, Counted::kAnsweredOfAll);
  EXPECT_THAT(curves[0].radii, ElementsAre(0, 3, 5));
  EXPECT_THAT(curves[0].texts, ElementsAre(4u, 3u, 1u));
  EXPECT_EQ(curves[0].median(), 3);
  EXPECT_TRUE(step_curves(records, &Certification::sound, Counted::kRightOfLabelled).empty());
}

TEST(StepCurve, ATextWithoutALabelIsNotCounted) {
  std::vector<Record> records = five();
  records[0].label.reset();
  const auto curves = step_curves(records, &Certification::sound, Counted::kRightOfLabelled);
  EXPECT_EQ(curves[0].all, 4u);
  EXPECT_THAT(curves[0].texts, ElementsAre(2u, 1u));
}

TEST(StepCurve, AnyAmountIsTheLastStep) {
  std::vector<Record> records = five();
  records[0].certification.sound.guarantees[1].radius = kUnlimited;
  const auto curves = step_curves(records, &Certification::sound, Counted::kRightOfLabelled);
  EXPECT_THAT(curves[0].radii, ElementsAre(0, 3, kUnlimited));
  EXPECT_THAT(curves[0].texts, ElementsAre(3u, 2u, 1u));
  EXPECT_EQ(curves[0].texts_at(1e9), 1u);
}

// The definition, at every radius that is kept; between two it never says more.
TEST(StepCurve, OfContinuousRadiiKeepsSoManyStepsAndTheirCounts) {
  std::vector<Record> records;
  for (uint32_t id = 0; id < 3000; ++id) {
    records.push_back(made_record(id, {}));
    records.back().certification.sound.guarantees = {
        {Operation::kInsertion, kUnitEmbedding, std::fmod(id * 0.6180339887, 1.0)}};
  }
  const auto texts_at = [&](double radius) {
    return static_cast<size_t>(
        std::count_if(records.begin(), records.end(), [&](const Record& record) {
          return record.certification.sound.guarantees[0].radius >= radius;
        }));
  };
  const auto curves = step_curves(records, &Certification::sound, Counted::kRightOfLabelled);
  ASSERT_EQ(curves.size(), 1u);
  const StepCurve& curve = curves[0];
  EXPECT_EQ(curve.unit, kUnitEmbedding);
  ASSERT_EQ(curve.radii.size(), kMostSteps);
  EXPECT_EQ(curve.radii.front(), 0);
  for (size_t i = 0; i < curve.radii.size(); ++i)
    EXPECT_EQ(curve.texts[i], texts_at(curve.radii[i])) << i;
  for (size_t i = 1; i < curve.radii.size(); ++i) {
    ASSERT_GT(curve.radii[i], curve.radii[i - 1]);
    const double between = (curve.radii[i] + curve.radii[i - 1]) / 2;
    EXPECT_LE(curve.texts_at(between), texts_at(between));
  }
}

TEST(StepCurve, NothingStatedIsNoCurve) {
  EXPECT_TRUE(step_curves(five(), &Certification::paper, Counted::kRightOfLabelled).empty());
  EXPECT_TRUE(step_curves({}, &Certification::sound, Counted::kAnsweredOfAll).empty());
}

TEST(RadiusOf, IsBelowNothingWhereNothingIsCertified) {
  const std::vector<Record> records = five();
  EXPECT_EQ(radius_of(records[0], records[0].certification.sound, Operation::kEdit), 3);
  EXPECT_EQ(radius_of(records[1], records[1].certification.sound, Operation::kEdit), 0);
  EXPECT_EQ(radius_of(records[3], records[3].certification.sound, Operation::kEdit), -1);
  EXPECT_EQ(radius_of(records[0], records[0].certification.sound, Operation::kReordering), -1);
}

}  // namespace
}  // namespace textcrs
