#include "train/epoch_choice.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace textcrs {
namespace {

// The choice after epochs with so many right answers on `texts` texts.
EpochChoice after(const std::vector<int>& right, size_t texts) {
  EpochChoice choice;
  for (size_t i = 0; i < right.size(); ++i)
    choice.add(static_cast<int>(i + 1), right[i] / static_cast<double>(texts), texts);
  return choice;
}

TEST(EpochChoice, ChanceIsAtMostAStandardErrorAndTwoTexts) {
  for (const size_t texts : {1u, 2u, 3u, 5u, 10u, 15u, 50u, 223u, 1250u})
    for (size_t right = 0; right <= texts; ++right) {
      const auto n = static_cast<double>(texts);
      const double accuracy = static_cast<double>(right) / n;
      const int chance = texts_within_chance(accuracy, texts);
      EXPECT_GE(chance, 0);
      EXPECT_LE(chance, 2);
      const double estimate = (n * accuracy + 2) / (n + 4);
      EXPECT_LE(chance / n, std::sqrt(estimate * (1 - estimate) / n)) << right << " of " << texts;
    }
}

TEST(EpochChoice, ChanceForFewAndManyTexts) {
  EXPECT_EQ(texts_within_chance(0.6, 15), 1);
  EXPECT_EQ(texts_within_chance(2.0 / 3, 3), 0);
  EXPECT_EQ(texts_within_chance(0.86, 50), 2);
  EXPECT_EQ(texts_within_chance(0.94, 50), 2);
  EXPECT_EQ(texts_within_chance(1, 50), 1);
  EXPECT_EQ(texts_within_chance(0.97, 223), 2);
  EXPECT_EQ(texts_within_chance(0.86, 1250), 2);
}

TEST(EpochChoice, ALaterEpochWinsWithinChance) {
  const EpochChoice one_behind = after({7, 9, 8}, 15);
  EXPECT_EQ(one_behind.kept.number, 3);
  EXPECT_EQ(one_behind.kept.accuracy, 8 / 15.0);
  EXPECT_EQ(one_behind.best.number, 2);
  EXPECT_EQ(one_behind.best.accuracy, 9 / 15.0);

  const EpochChoice two_behind = after({7, 9, 7}, 15);  // 60 % is not 47 %
  EXPECT_EQ(two_behind.kept.number, 2);

  EXPECT_EQ(after({43, 41}, 50).kept.number, 2);
  EXPECT_EQ(after({43, 40}, 50).kept.number, 1);
}

TEST(EpochChoice, WhatIsKeptNeverDriftsAwayFromTheBest) {
  const EpochChoice choice = after({45, 43, 42, 41, 40}, 50);
  EXPECT_EQ(choice.best.number, 1);
  EXPECT_EQ(choice.kept.number, 2);
}

TEST(EpochChoice, OfEqualEpochsTheFirstIsTheBestAndTheLastIsKept) {
  const EpochChoice choice = after({0, 10, 10, 10}, 10);
  EXPECT_EQ(choice.best.number, 2);
  EXPECT_EQ(choice.kept.number, 4);
}

TEST(EpochChoice, WithoutHeldOutTextsTheLastIsKeptAndNoneIsTheBest) {
  EpochChoice choice;
  for (int epoch = 1; epoch <= 3; ++epoch) choice.add(epoch, std::nullopt, 0);
  EXPECT_EQ(choice.kept.number, 3);
  EXPECT_EQ(choice.kept.accuracy, std::nullopt);
  EXPECT_EQ(choice.best.number, 0);
}

}  // namespace
}  // namespace textcrs
