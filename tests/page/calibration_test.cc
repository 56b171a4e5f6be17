#include "page/calibration.h"

#include <gtest/gtest.h>

#include "page/made_run.h"

namespace textcrs {
namespace {

TEST(Calibration, CountsByHand) {
  const auto bins = calibration_of(made_records({{.pa = 0.5},
                                                 {.label = "neg", .pa = 0.59},
                                                 {.pa = 0.55, .abstained = true},
                                                 {.label = std::nullopt, .pa = 0.55},
                                                 {.pa = 0.9},
                                                 {.pa = 1},
                                                 {.label = "neg", .pa = 0}}));
  ASSERT_EQ(bins.size(), 3u);
  EXPECT_EQ(bins[0].from, 0);
  EXPECT_EQ(bins[0].to, 0.1);
  EXPECT_EQ(bins[0].texts, 1u);
  EXPECT_EQ(bins[0].right, 0u);
  EXPECT_EQ(bins[1].from, 0.5);
  EXPECT_EQ(bins[1].to, 0.6);
  EXPECT_EQ(bins[1].texts, 3u);
  EXPECT_EQ(bins[1].right, 2u);  // an abstention by its guess
  EXPECT_DOUBLE_EQ(bins[1].mean_pa, (0.5 + 0.59 + 0.55) / 3);
  EXPECT_EQ(bins[2].texts, 2u);
  EXPECT_EQ(bins[2].to, 1);
  EXPECT_DOUBLE_EQ(bins[2].mean_pa, 0.95);
}

TEST(Calibration, EveryLabelledTextIsInOneBin) {
  std::vector<MadeText> texts;
  for (int i = 0; i <= 1000; ++i) texts.push_back({.pa = i / 1000.0});
  size_t counted = 0;
  for (const CalibrationBin& bin : calibration_of(made_records(texts))) {
    counted += bin.texts;
    EXPECT_GE(bin.mean_pa, bin.from);
    EXPECT_LE(bin.mean_pa, bin.to);
  }
  EXPECT_EQ(counted, texts.size());
}

TEST(Calibration, WithoutLabelsThereIsNone) {
  EXPECT_TRUE(calibration_of(made_records({{.label = std::nullopt}})).empty());
}

}  // namespace
}  // namespace textcrs
