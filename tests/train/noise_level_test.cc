// Levels of a noise that are drawn per step.
#include "train/noise_level.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/expect_error.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

TEST(WithLevel, ReplacesTheLevelAlone) {
  EXPECT_EQ(with_level("delete:p=0.3", 0.5), "delete:p=0.5");
  EXPECT_EQ(with_level("delete:p=0.3,order=shuffled", 0.25), "delete:p=0.25,order=shuffled");
  EXPECT_EQ(with_level("delete:order=shuffled,p=0.3", 0.25), "delete:order=shuffled,p=0.25");
  EXPECT_EQ(with_level("universal:p=0.9", 0.85), "universal:p=0.85");
  EXPECT_EQ(with_level("mask:p=0.9", 0.85), "mask:p=0.85");
  EXPECT_EQ(with_level("insert:sigma=1", 0.125), "insert:sigma=0.125");
  for (const char* spec : {"none", "reorder:full", "hash:buckets=2,functions=3",
                           "substitute:kernel=uniform", "reorder:groups=3"})
    EXPECT_EQ(with_level(spec, 0.5), std::nullopt) << spec;
}

TEST(StepNoise, DrawsUniformLevelsInRangeByTheStep) {
  const StepNoise noise("universal:p=0.9", {}, NoiseLevels{0.8, 0.95}, 7);
  const StepNoise same("universal:p=0.5", {}, NoiseLevels{0.8, 0.95}, 7);
  const StepNoise other("universal:p=0.9", {}, NoiseLevels{0.8, 0.95}, 8);
  constexpr int kSteps = 10000, kBins = 10;
  std::vector<int> counts(kBins);
  std::set<double> distinct;
  double sum = 0, product = 0, last = 0;
  for (int64_t step = 0; step < kSteps; ++step) {
    const double level = noise.level(step);
    ASSERT_GE(level, 0.8);
    ASSERT_LE(level, 0.95);
    EXPECT_EQ(same.level(step), level);
    EXPECT_NE(other.level(step), level);
    const double place = (level - 0.8) / 0.15;
    ++counts[static_cast<size_t>(std::min(kBins * place, kBins - 1.0))];
    distinct.insert(level);
    sum += place;
    product += (place - 0.5) * (last - 0.5);
    last = place;
  }
  // Chi-squared with 9 degrees of freedom: above 27.9 once in a thousand seeds.
  double squares = 0;
  for (const int count : counts) squares += std::pow(count - kSteps / kBins, 2) / (kSteps / kBins);
  EXPECT_LT(squares, 27.9);
  EXPECT_NEAR(sum / kSteps, 0.5, 3 * std::sqrt(1.0 / 12 / kSteps));
  EXPECT_NEAR(product / kSteps, 0, 3.0 / 12 / std::sqrt(kSteps));  // neighbours are independent
  EXPECT_GT(distinct.size(), kSteps - 5u);
}

TEST(StepNoise, IsTheNoiseOfTheStepsLevel) {
  const NoiseContext context{nullptr, nullptr, 20};
  const StepNoise words("delete:p=0.5,order=shuffled", context, NoiseLevels{0.3, 0.6}, 3);
  const StepNoise gaussian("insert:sigma=0.5", context, NoiseLevels{0.1, 0.9}, 3);
  for (int64_t step = 0; step < 20; ++step) {
    EXPECT_EQ(words.at(step)->spec(), *with_level(words.itself().spec(), words.level(step)));
    EXPECT_EQ(gaussian.at(step)->sigma(), gaussian.level(step));
  }
  EXPECT_EQ(words.itself().spec(), "delete:p=0.5,order=shuffled");
  EXPECT_EQ(gaussian.itself().sigma(), 0.5);
}

TEST(StepNoise, WithoutLevelsIsTheSameNoise) {
  const StepNoise noise("reorder:full", {}, std::nullopt, 3);
  EXPECT_EQ(noise.at(0).get(), &noise.itself());
  EXPECT_EQ(noise.at(99).get(), &noise.itself());
}

TEST(StepNoise, AnIntervalOfOneLevelIsThatLevel) {
  const StepNoise noise("mask:p=0.3", {}, NoiseLevels{0.7, 0.7}, 3);
  EXPECT_EQ(noise.at(5)->spec(), "mask:p=0.7");
}

TEST(StepNoise, RefusesWhatANoiseCanNotHave) {
  const auto refusal = [](const std::string& spec, NoiseLevels levels) {
    return expect_error(ErrorKind::kUsage, [&] {
      StepNoise(spec, {nullptr, nullptr, 20}, levels, 1);
    });
  };
  EXPECT_THAT(refusal("reorder:full", {0.1, 0.2}), HasSubstr("reorder:full has no level"));
  EXPECT_THAT(refusal("none", {0.1, 0.2}), HasSubstr("has no level"));
  EXPECT_THAT(refusal("universal:p=0.5", {0.3, 0.2}), HasSubstr("0.3 to 0.2"));
  EXPECT_THAT(refusal("universal:p=0.5", {0.5, 1}), HasSubstr("universal:p=1"));
  EXPECT_THAT(refusal("universal:p=0.5", {0, 0.5}), HasSubstr("universal:p=0"));
  EXPECT_THAT(refusal("insert:sigma=0.5", {-1, 0.5}), HasSubstr("insert:sigma=-1"));
  EXPECT_THAT(refusal("universal:p=0.5", {std::nan(""), 0.5}), HasSubstr("nan"));
}

}  // namespace
}  // namespace textcrs
