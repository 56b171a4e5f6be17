#include "base/safe_decimals.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <string>

namespace textcrs {
namespace {

TEST(SafeDecimals, KnownValues) {
  EXPECT_EQ(rounded_down(0.99996, 4), "0.9999");
  EXPECT_EQ(rounded_up(0.99996, 4), "1");
  EXPECT_EQ(rounded_down(0.98, 4), "0.98");
  EXPECT_EQ(rounded_up(0.98, 4), "0.98");
  EXPECT_EQ(rounded_up(0.000123449, 4), "0.0001235");
  EXPECT_EQ(rounded_down(-0.00012346, 3), "-0.000124");
  EXPECT_EQ(rounded_down(0, 4), "0");
  EXPECT_EQ(rounded_up(0, 4), "0");
}

TEST(SafeDecimals, LieOnTheSafeSideWithinAUnitOfTheLastDigit) {
  EXPECT_TRUE(rc::check([] {
    const double value =
        *rc::gen::inRange(-999'999, 1'000'000) * std::pow(10, *rc::gen::inRange(-12, 3));
    const int digits = *rc::gen::inRange(1, 7);
    const double below = std::stod(rounded_down(value, digits));
    const double above = std::stod(rounded_up(value, digits));
    RC_ASSERT(below <= value && value <= above);
    RC_ASSERT(above - below <= std::abs(value) * 1.001 * std::pow(10, 1 - digits));
  }));
}

TEST(ConfidencePercent, IsWhatAlphaLeaves) {
  EXPECT_EQ(confidence_percent(0.001), "99.9");
  EXPECT_EQ(confidence_percent(0.05), "95");
  EXPECT_EQ(confidence_percent(0.5), "50");
  EXPECT_EQ(confidence_percent(0.9), "10");
  EXPECT_EQ(confidence_percent(0.0123456), "98.76544");
  EXPECT_EQ(confidence_percent(0.07), "93");
  EXPECT_EQ(confidence_percent(1e-8), "99.999999");
}

TEST(ConfidencePercent, IsRoundedDownAndNeverAHundred) {
  EXPECT_EQ(confidence_percent(1e-9), "99.9999999");
  EXPECT_EQ(confidence_percent(1e-12), "99.9999999999");
  EXPECT_EQ(confidence_percent(2.5e-9), "99.9999997");
  EXPECT_EQ(confidence_percent(1 / 3.0), "66.666666");
  EXPECT_EQ(confidence_percent(1e-300), "99.9999999999999999");
  for (double alpha = 2 / 3.0; alpha > 1e-17; alpha *= 0.83)
    EXPECT_LE(std::stold(confidence_percent(alpha)), 100 * (1 - static_cast<long double>(alpha)))
        << alpha;
}

}  // namespace
}  // namespace textcrs
