// B5 against the worst classifier of a Gaussian, a half-space, at a hundred digits.
#include <gtest/gtest.h>

#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "certify/oracle.h"

namespace textcrs {
namespace {

using oracle::Precise;

CertifiedSet certified(Bounds bounds, int words = 20, int slots = 64) {
  return make_certificate("insert:sigma=0.5", CertificateMode::kSound, slots)
      ->certify(bounds, words);
}

Precise normal_cdf(const Precise& x) { return boost::math::erfc(-x / sqrt(Precise(2))) / 2; }

// Phi^-1 by bisection: nothing shared with the library's.
Precise normal_inverse(const Precise& p) {
  Precise low = -20, high = 20;
  for (int i = 0; i < 160; ++i) {
    const Precise middle = (low + high) / 2;
    (normal_cdf(middle) < p ? low : high) = middle;
  }
  return low;
}

// Two half-spaces across the shift: yA on the near side with probability pA, yB on the far side
// with pB. A shift of s along the normal leaves yA Phi(qA - s/sigma) and gives yB Phi(qB +
// s/sigma).
TEST(Insertion, HalfSpacesFlipJustBeyondTheRadius) {
  for (const Bounds bounds : {Bounds{0.51, 0.49},
                              {0.6, 0.4},
                              {0.75, 0.1},
                              {0.9, 0.1},
                              {0.99, 0.001},
                              {0.999, 0.001},
                              {0.99999, 1e-5},
                              {0.3, 0.2}}) {
    const Precise qa = normal_inverse(Precise(bounds.pa)), qb = normal_inverse(Precise(bounds.pb));
    const double radius = certified(bounds).radius("insertion");
    const auto survives = [&](const Precise& shift) {
      return normal_cdf(qa - shift / 0.5) > normal_cdf(qb + shift / 0.5);
    };
    EXPECT_GT(radius, 0);
    EXPECT_TRUE(survives(Precise(radius))) << bounds.pa;
    EXPECT_FALSE(survives(Precise(radius) * Precise("1.000000000001"))) << bounds.pa;
  }
}

TEST(Insertion, NeverAboveTheExactRadiusEvenAtTheSmallestMargins) {
  for (double pa = std::nextafter(0.5, 1.0); pa < 0.50001; pa = 0.5 + (pa - 0.5) * 7) {
    const Precise exact =
        Precise(0.25) * (normal_inverse(Precise(pa)) - normal_inverse(Precise(1 - pa)));
    const double radius = certified({pa, 1 - pa}).radius("insertion");
    EXPECT_LT(Precise(radius), exact);
    EXPECT_GE(radius, 0);
    EXPECT_TRUE(certified({pa, 1 - pa}).certified);
  }
}

TEST(Insertion, CertainVotesHaveNoRadiusLimit) {
  EXPECT_EQ(certified({1, 0}).radius("insertion"), kUnlimited);
  EXPECT_EQ(certified({0.9, 0}).radius("insertion"), kUnlimited);
}

TEST(Insertion, CoversTheOtherOperationsThroughTheirEmbeddings) {
  const CertifiedSet set = certified({0.9, 0.1});
  EXPECT_EQ(set.radius("insertion"), set.radius("deletion"));
  EXPECT_EQ(set.radius("insertion"), set.radius("substitution"));
  EXPECT_EQ(set.find("insertion")->unit, kUnitEmbedding);
  EXPECT_NEAR(set.radius("insertion"), 0.5 * 1.2815515655446004, 1e-12);  // Phi^-1(.9), tables
}

TEST(Insertion, AReorderingIsFreeOnlyIfTheWholeTextIsSeen) {
  EXPECT_EQ(certified({0.9, 0.1}, 64, 64).radius("reordering"), kUnlimited);
  EXPECT_EQ(certified({0.9, 0.1}, 65, 64).find("reordering"), nullptr);
}

}  // namespace
}  // namespace textcrs
