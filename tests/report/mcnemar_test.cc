#include "textcrs/report/mcnemar.h"

#include <gtest/gtest.h>

#include <cmath>

namespace textcrs {
namespace {

// 2 sum_{k <= fewer} C(n, k) / 2^n, by adding up.
double by_hand(int n, int fewer) {
  double term = std::pow(0.5, n), sum = 0;
  for (int k = 0; k <= fewer; ++k) {
    sum += term;
    term *= static_cast<double>(n - k) / (k + 1);
  }
  return std::min(1.0, 2 * sum);
}

TEST(McNemar, PublishedExamples) {
  // M. P. Fay, Two-sided exact tests and matching confidence intervals for discrete data (R
  // Journal 2010) and the vignette of exact2x2: mcnemar.exact(matrix(c(21, 9, 2, 12), 2, 2)).
  EXPECT_NEAR(mcnemar_exact(9, 2), 0.06543, 5e-6);
  // The documentation of statsmodels: mcnemar([[101, 121], [59, 33]], exact=True).
  EXPECT_NEAR(mcnemar_exact(121, 59), 4.434e-06, 5e-10);
}

TEST(McNemar, EqualsTheSumOfTheTails) {
  for (int n = 1; n <= 60; ++n)
    for (int first = 0; first <= n; ++first)
      EXPECT_NEAR(mcnemar_exact(static_cast<size_t>(first), static_cast<size_t>(n - first)),
                  by_hand(n, std::min(first, n - first)), 1e-12)
          << first << " of " << n;
}

TEST(McNemar, IsSymmetricAndOneWhereNothingSpeaksForADifference) {
  EXPECT_EQ(mcnemar_exact(0, 0), 1);
  EXPECT_EQ(mcnemar_exact(7, 7), 1);
  EXPECT_EQ(mcnemar_exact(3, 8), mcnemar_exact(8, 3));
  EXPECT_EQ(mcnemar_exact(0, 1), 1);
  EXPECT_EQ(mcnemar_exact(0, 10), 2 / 1024.0);
}

TEST(McNemar, OfManyTexts) {
  EXPECT_GT(mcnemar_exact(12500, 12499), 0.99);
  EXPECT_LT(mcnemar_exact(13000, 12000), 1e-9);
  EXPECT_GT(mcnemar_exact(13000, 12000), 0);
}

}  // namespace
}  // namespace textcrs
