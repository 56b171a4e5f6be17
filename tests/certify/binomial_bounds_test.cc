#include "certify/binomial_bounds.h"

#include <gtest/gtest.h>

#include "certify/oracle.h"

namespace textcrs {
namespace {

using oracle::Precise;

// C(n, k) (1-p)^k p^(n-k), at a hundred digits.
std::vector<Precise> exact(int n, double p) {
  const Precise q = 1 - Precise(p);
  std::vector<Precise> terms = {pow(Precise(p), n)};
  for (int k = 0; k < n; ++k) terms.push_back(terms.back() * (n - k) / (k + 1) * q / Precise(p));
  return terms;
}

TEST(BinomialBounds, EncloseTheExactProbabilities) {
  for (const double p : {0.5, 0.001, 0.3, 0.9, 0.95, 0.999, 0.999999})
    for (const int n : {0, 1, 2, 3, 7, 50, 200, 1000, 5000}) {
      const BinomialBounds bounds(n, p);
      const std::vector<Precise> probabilities = exact(n, p);
      Precise outside = 0;
      for (int k = 0; k <= n; ++k) {
        const Precise& value = probabilities[static_cast<size_t>(k)];
        ASSERT_LE(Precise(bounds.below(k)), value) << n << ", " << p << ", " << k;
        if (k < bounds.first() || k > bounds.last()) {
          outside += value;
          continue;
        }
        ASSERT_GE(Precise(bounds.above(k)), value) << n << ", " << p << ", " << k;
        ASSERT_LE(bounds.above(k), bounds.below(k) * (1 + 1e-13L));
      }
      EXPECT_LE(outside, Precise(bounds.outside()));
      EXPECT_LT(bounds.outside(), 1e-50L);
    }
}

}  // namespace
}  // namespace textcrs
