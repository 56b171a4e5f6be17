// Clopper-Pearson: the promise is about coverage, so coverage is what is computed.
#include "textcrs/certify/confidence.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <functional>

#include "certify/oracle.h"
#include "certify/simulated_votes.h"
#include "textcrs/base/error.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using oracle::Precise;

// P(Binomial(n, p) >= k), summed from k upwards until the terms no longer count.
Precise upper_tail(int64_t n, int64_t k, const Precise& p) {
  if (k <= 0) return 1;
  const auto log_factorial = [](int64_t i) { return boost::math::lgamma(Precise(i + 1)); };
  Precise term = exp(log_factorial(n) - log_factorial(k) - log_factorial(n - k) + k * log(p) +
                     (n - k) * log(1 - p));
  Precise sum = 0;
  const Precise odds = p / (1 - p), negligible("1e-25");
  for (int64_t i = k; i <= n && term > sum * negligible; ++i) {
    sum += term;
    term *= odds * (n - i) / (i + 1);
  }
  return sum;
}

// The true p is missed by the lower bound with probability sum over k with lower(k) > p: the upper
// tail from the smallest such k. It is largest just below a bound.
TEST(ClopperPearson, ExactCoverageOfTheLowerBound) {
  for (const double alpha : {0.5, 0.05, 0.001, 1e-6})
    for (const int64_t n : {1, 2, 3, 7, 20, 60})
      for (int64_t k = 1; k <= n; ++k) {
        const double bound = clopper_pearson_lower(k, n, alpha);
        ASSERT_GT(bound, 0);
        EXPECT_LE(upper_tail(n, k, Precise(bound)), Precise(alpha)) << n << " " << k;
        // Not needlessly low: a billionth higher and the promise would be broken.
        EXPECT_GT(upper_tail(n, k, Precise(bound) * Precise("1.000000003")), Precise(alpha));
      }
}

TEST(ClopperPearson, ExactCoverageOnAGridOfProbabilities) {
  const int64_t n = 40;
  const double alpha = 0.05;
  for (int i = 1; i < 200; ++i) {
    const double p = i / 200.0;
    int64_t below = 0, above = n;  // first count whose lower bound passes p, last whose upper does
    while (below <= n && clopper_pearson_lower(below, n, alpha) <= p) ++below;
    while (above >= 0 && clopper_pearson_upper(above, n, alpha) >= p) --above;
    const Precise missed_low = below > n ? Precise(0) : upper_tail(n, below, Precise(p));
    EXPECT_LE(missed_low, Precise(alpha)) << p;
    EXPECT_LE(1 - upper_tail(n, above + 1, Precise(p)), Precise(alpha)) << p;
  }
}

TEST(ClopperPearson, TheUpperBoundMirrorsTheLower) {
  EXPECT_TRUE(rc::check("upper(k, n) = 1 - lower(n - k, n) up to the safe rounding", [] {
    const int64_t n = *rc::gen::inRange(1, 5000), k = *rc::gen::inRange<int64_t>(0, n + 1);
    const double alpha = *rc::gen::element(0.2, 0.01, 0.001);
    const double upper = clopper_pearson_upper(k, n, alpha);
    RC_ASSERT(std::abs(upper - (1 - clopper_pearson_lower(n - k, n, alpha))) < 1e-9);
    RC_ASSERT(clopper_pearson_lower(k, n, alpha) <= static_cast<double>(k) / n || alpha > 0.5);
    RC_ASSERT(upper >= static_cast<double>(k) / n);
    if (k < n)
      RC_ASSERT(clopper_pearson_lower(k, n, alpha) < clopper_pearson_lower(k + 1, n, alpha));
  }));
}

TEST(ClopperPearson, ExactUpperTail) {
  for (const int64_t n : {1, 5, 30})
    for (int64_t k = 0; k < n; ++k) {
      const double bound = clopper_pearson_upper(k, n, 0.001);
      EXPECT_LE(1 - upper_tail(n, k + 1, Precise(bound)), Precise(0.001)) << n << " " << k;
    }
}

TEST(ClopperPearson, KnownValues) {
  EXPECT_EQ(clopper_pearson_lower(0, 100, 0.001), 0);
  EXPECT_EQ(clopper_pearson_upper(100, 100, 0.001), 1);
  // All of n: alpha^(1/n).
  EXPECT_NEAR(clopper_pearson_lower(100000, 100000, 0.001), std::pow(0.001, 1e-5), 1e-12);
  EXPECT_NEAR(clopper_pearson_upper(0, 100, 0.05), 1 - std::pow(0.05, 0.01), 1e-10);
  // One of n: 1 - (1 - alpha)^(1/n).
  EXPECT_NEAR(clopper_pearson_lower(1, 10, 0.05), 1 - std::pow(0.95, 0.1), 1e-10);
}

TEST(ClopperPearson, TheExactTailHoldsForTheNumbersOfTheExperiments) {
  for (const int64_t k : {50500, 75000, 99000, 99990, 100000}) {
    const double bound = clopper_pearson_lower(k, 100000, 0.001);
    EXPECT_LE(upper_tail(100000, k, Precise(bound)), Precise(0.001)) << k;
    EXPECT_GT(upper_tail(100000, k, Precise(bound) + Precise("1e-11")), Precise(0.001)) << k;
  }
}

TEST(ClopperPearson, TheExactTailHoldsForABillionTrials) {
  const int64_t n = 1'000'000'000;
  for (const int64_t k : {n / 2 + 100'000, n - 10'000'000, n - 1000, n}) {
    const double bound = clopper_pearson_lower(k, n, 0.001);
    EXPECT_LE(upper_tail(n, k, Precise(bound)), Precise(0.001)) << k;
    EXPECT_GT(upper_tail(n, k, Precise(bound) + Precise("1e-11")), Precise(0.001)) << k;
  }
  // Far from the ends the normal approximation, k/n + z sqrt(p (1-p) / n), is good to 10^-8.
  EXPECT_NEAR(clopper_pearson_upper(n / 2, n, 0.001), 0.5 + 3.0902323 * 0.5 / std::sqrt(1e9), 1e-8);
}

TEST(ClopperPearson, SimulatedCoverage) {
  const double alpha = 0.05;
  const int runs = 4000, n = 150;
  for (const double p : {0.5, 0.9, 0.97}) {
    Stream stream(11, static_cast<uint32_t>(p * 100), 0);
    int low_misses = 0, high_misses = 0;
    for (int run = 0; run < runs; ++run) {
      int64_t successes = 0;
      for (int i = 0; i < n; ++i) successes += stream.bernoulli(p);
      low_misses += clopper_pearson_lower(successes, n, alpha) > p;
      high_misses += clopper_pearson_upper(successes, n, alpha) < p;
    }
    const double allowed = runs * alpha + 4 * std::sqrt(runs * alpha * (1 - alpha));
    EXPECT_LE(low_misses, allowed) << p;
    EXPECT_LE(high_misses, allowed) << p;
    EXPECT_GT(low_misses, 0) << p;  // a bound that never misses would be no bound at this level
  }
}

// The most probable of the classes other than the first.
double runner_up(const std::vector<double>& shares) {
  return *std::max_element(shares.begin() + 1, shares.end());
}

// 3 to 10 classes, some with several runners-up, some where the first class is not the top one: pA
// above the truth or pB below the best other class, at most alpha often.
TEST(JointBounds, SimulatedCoverage) {
  const double alpha = 0.05;
  const int runs = 4000, n = 200;
  std::vector<double> one_rival(10, 0.01), even_rivals(10, 0.06);
  one_rival[0] = 0.5, one_rival[7] = 0.42;
  even_rivals[0] = 0.46;
  for (const std::vector<double>& shares :
       std::vector<std::vector<double>>{{0.4, 0.35, 0.25},
                                        {0.4, 0.3, 0.3},
                                        {0.2, 0.3, 0.5},
                                        {0.9, 0.1, 0},
                                        {0.45, 0.4, 0.1, 0.05},
                                        {0.4, 0.2, 0.2, 0.2},
                                        {0.6, 0.1, 0.1, 0.1, 0.1},
                                        {0.2, 0.2, 0.2, 0.2, 0.2},
                                        one_rival,
                                        even_rivals}) {
    const double other = runner_up(shares);
    for (const BoundsMethod method : {BoundsMethod::kComplement, BoundsMethod::kJoint}) {
      int wrong = 0;
      for (int run = 0; run < runs; ++run) {
        const Votes counts = simulated_votes(shares, 21, static_cast<uint32_t>(run))(0, n);
        const Bounds bounds = class_bounds(counts, 0, n, alpha, method);
        wrong += bounds.pa > shares[0] || bounds.pb < other;
      }
      EXPECT_LE(wrong, runs * alpha + 4 * std::sqrt(runs * alpha * (1 - alpha))) << shares[0];
      EXPECT_GT(wrong, 0) << shares[0];
    }
  }
}

// The same without chance: all counts of n votes, each with its multinomial probability.
double missed(const std::vector<double>& shares, int64_t n, double alpha) {
  double sum = 0;
  Votes counts(shares.size());
  const std::function<void(size_t, int64_t, double)> visit = [&](size_t c, int64_t left,
                                                                 double log_law) {
    const bool last = c + 1 == shares.size();
    for (int64_t k = last ? left : 0; k <= left; ++k) {
      counts[c] = k;
      const double law = log_law - std::lgamma(k + 1) + k * std::log(shares[c]);
      if (!last) {
        visit(c + 1, left - k, law);
        continue;
      }
      const Bounds bounds = class_bounds(counts, 0, n, alpha, BoundsMethod::kJoint);
      if (bounds.pa > shares[0] || bounds.pb < runner_up(shares)) sum += std::exp(law);
    }
  };
  visit(0, n, std::lgamma(n + 1));
  return sum;
}

TEST(JointBounds, ExactCoverage) {
  const double alpha = 0.1;
  double worst = 0;
  for (const double top : {0.2, 0.4, 0.5, 0.7, 0.9})
    for (const double second : {1 / 3.0, 0.5, 0.8, 0.95}) {  // of the rest; 1/2 and 1/3: ties
      const double rest = 1 - top;
      const double of_three = missed({top, second * rest, (1 - second) * rest}, 40, alpha);
      const double third = (1 - second) / 2 * rest;
      const double of_four = missed({top, second * rest, third, third}, 16, alpha);
      EXPECT_LE(of_three, alpha) << top << " " << second;
      EXPECT_LE(of_four, alpha) << top << " " << second;
      worst = std::max({worst, of_three, of_four});
    }
  EXPECT_GT(worst, alpha / 2);  // not needlessly careful
}

TEST(JointBounds, EveryOtherClassHasItsBoundAtHalfOfAlpha) {
  const double alpha = 0.001;
  const Votes counts = {480, 260, 100, 60, 40, 30, 20, 10, 0, 0};
  const Bounds bounds = class_bounds(counts, 0, 1000, alpha, BoundsMethod::kJoint);
  EXPECT_EQ(bounds.pa, clopper_pearson_lower(480, 1000, alpha / 2));
  EXPECT_EQ(bounds.pb, clopper_pearson_upper(260, 1000, alpha / 2));
}

TEST(JointBounds, NeverPassTheComplement) {
  EXPECT_TRUE(rc::check([] {
    const auto classes = *rc::gen::inRange<size_t>(1, 6);
    Votes counts(classes);
    int64_t trials = 0;
    for (int64_t& count : counts) trials += count = *rc::gen::inRange<int64_t>(1, 500);
    const double alpha = *rc::gen::element(0.1, 0.001);
    const Bounds joint = class_bounds(counts, 0, trials, alpha, BoundsMethod::kJoint);
    RC_ASSERT(joint.pa == clopper_pearson_lower(counts[0], trials, alpha / 2));
    RC_ASSERT(joint.pb <= 1 - joint.pa);
    for (size_t c = 1; c < classes; ++c)
      RC_ASSERT(joint.pb == 1 - joint.pa ||
                joint.pb >= static_cast<double>(counts[c]) / static_cast<double>(trials));
  }));
}

TEST(BoundsMethod, IsChosenByTheNumberOfClasses) {
  EXPECT_EQ(resolved(BoundsMethod::kAuto, 2), BoundsMethod::kComplement);
  EXPECT_EQ(resolved(BoundsMethod::kAuto, 3), BoundsMethod::kJoint);
  for (const size_t classes : {1u, 2u, 3u, 10u})
    for (const BoundsMethod method : {BoundsMethod::kComplement, BoundsMethod::kJoint})
      EXPECT_EQ(resolved(method, classes), method);
  for (const Votes& counts : {Votes{70, 30}, Votes{50, 30, 20}})
    EXPECT_EQ(class_bounds(counts, 0, 100, 0.01, BoundsMethod::kAuto),
              class_bounds(counts, 0, 100, 0.01, resolved(BoundsMethod::kAuto, counts.size())));
}

TEST(BoundsMethod, NamesRoundTrip) {
  for (const BoundsMethod method :
       {BoundsMethod::kAuto, BoundsMethod::kComplement, BoundsMethod::kJoint})
    EXPECT_EQ(parse_bounds_method(to_string(method)), method);
  EXPECT_THROW(parse_bounds_method("both"), Error);
}

TEST(ClopperPearson, RefusesWhatIsNoExperiment) {
  const double nan = std::nan("");
  EXPECT_THROW(clopper_pearson_lower(-1, 10, 0.1), Error);
  EXPECT_THROW(clopper_pearson_lower(11, 10, 0.1), Error);
  EXPECT_THROW(clopper_pearson_lower(0, 0, 0.1), Error);
  EXPECT_THROW(clopper_pearson_upper(1, 1'000'000'001, 0.1), Error);
  for (const double alpha : {0.0, 1.0, -0.1, 1.5, nan}) {
    EXPECT_THROW(clopper_pearson_lower(5, 10, alpha), Error);
    EXPECT_THROW(clopper_pearson_upper(5, 10, alpha), Error);
  }
}

}  // namespace
}  // namespace textcrs
