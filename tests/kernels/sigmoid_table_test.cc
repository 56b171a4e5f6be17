#include "kernels/sigmoid_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/software_tiles.h"

namespace textcrs {
namespace {

double beside_half(double x) {
  return Sigmoid<SoftwareVectors>().beside_half(SoftwareVectors::set1(static_cast<float>(x))).x[0];
}

TEST(SigmoidTable, IsAsExactAsStated) {
  double worst = 0, worst_share = 0;
  for (int i = 1; i <= 2000000; ++i) {
    const double x = i * 1e-5, expected = 1 / (1 + std::exp2(x)) - 0.5;
    const double found = beside_half(x);
    ASSERT_GE(found, -0.5) << x;
    ASSERT_EQ(beside_half(-x), -found) << x;
    const double error = std::abs(found - expected);
    worst = std::max(worst, error);
    worst_share = std::max(worst_share, error / -expected);
  }
  EXPECT_LT(worst, 2.7e-5);
  EXPECT_LT(worst_share, 6e-4);
}

TEST(SigmoidTable, EndsAreExact) {
  EXPECT_EQ(beside_half(0), 0);
  EXPECT_GT(beside_half(15.2), -0.5);
  for (const double x : {15.26, 15.5, 16.0, 1e4, 1e30}) {
    EXPECT_EQ(beside_half(x), -0.5) << x;
    EXPECT_EQ(beside_half(-x), 0.5) << x;
  }
}

}  // namespace
}  // namespace textcrs
