// The average of weights against the weight that each step has in it.
#include "train/weight_average.h"

#include <gtest/gtest.h>

#include <cmath>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

Weights weights_at(uint32_t step) {
  Weights weights;
  weights["a"] = {{3}, std::vector<float>(3)};
  weights["b.bias"] = {{2, 2}, std::vector<float>(4)};
  Stream stream(4, step, 0);
  for (auto& [name, tensor] : weights) stream.normals(tensor.values);
  return weights;
}

// share(i) of step i, and (1 - share) of every later step leaves as much of it.
TEST(WeightAverage, IsTheWeightedSumOfTheSteps) {
  for (const double decay : {0.5, 0.9, 0.99, 0.999}) {
    WeightAverage average(decay);
    constexpr uint32_t kSteps = 300;
    for (uint32_t step = 1; step <= kSteps; ++step) {
      average.add(weights_at(step), step);
      if (step != 1 && step != 7 && step != kSteps) continue;
      for (const auto& [name, tensor] : average.values())
        for (size_t i = 0; i < tensor.values.size(); ++i) {
          double expected = 0, left = 1, total = 0;
          for (uint32_t s = step; s >= 1; --s) {
            const double share = std::max(1 - decay, 10.0 / (s + 9));
            expected += left * share * weights_at(s).at(name).values[i];
            total += left * share;
            left *= 1 - share;
          }
          EXPECT_NEAR(total, 1, 1e-12);
          EXPECT_NEAR(tensor.values[i], expected, 1e-5) << decay << " " << step << " " << name;
        }
    }
  }
}

TEST(WeightAverage, BeginsWithTheFirstStep) {
  WeightAverage average(0.999);
  EXPECT_TRUE(average.values().empty());
  average.add(weights_at(1), 1);
  EXPECT_TRUE(average.values() == weights_at(1));
}

TEST(WeightAverage, ForgetsTheFirstHalfWhileItIsWarmingUp) {
  const WeightAverage average(0.999);
  double left = 1;
  for (int64_t step = 1000; step > 500; --step) left *= 1 - average.share(step);
  EXPECT_NEAR(left, std::pow(0.5, 10), 1e-4);
}

TEST(WeightAverage, IsAnExponentialAverageInTheLongRun) {
  const WeightAverage average(0.99);
  EXPECT_EQ(average.share(1), 1);
  EXPECT_GT(average.share(900), 0.0105);
  EXPECT_NEAR(average.share(1000), 0.01, 1e-12);
  EXPECT_NEAR(average.share(100000), 0.01, 1e-12);
}

TEST(WeightAverage, PutBackGoesOnBitByBit) {
  WeightAverage whole(0.9), again(0.9);
  for (uint32_t step = 1; step <= 20; ++step) {
    whole.add(weights_at(step), step);
    if (step == 8) again.restore(whole.values());
    if (step > 8) again.add(weights_at(step), step);
  }
  EXPECT_TRUE(again.values() == whole.values());
}

}  // namespace
}  // namespace textcrs
