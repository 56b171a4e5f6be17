// Hockey-stick curves and their composition against sums over all outcomes.
#include "certify/loss_distribution.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <vector>

#include "certify/oracle.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using oracle::Rational;

struct Pair {  // of laws on the same outcomes
  std::vector<Rational> before, after;
};

Rational exact_curve(const Pair& pair, const Rational& t) {
  Rational sum = 0;
  for (size_t i = 0; i < pair.before.size(); ++i)
    sum += std::max<Rational>(0, pair.after[i] - t * pair.before[i]);
  return sum;
}

Pair product(const Pair& a, const Pair& b) {
  Pair both;
  for (size_t i = 0; i < a.before.size(); ++i)
    for (size_t j = 0; j < b.before.size(); ++j) {
      both.before.push_back(a.before[i] * b.before[j]);
      both.after.push_back(a.after[i] * b.after[j]);
    }
  return both;
}

// Sixteenths, so sums are quick; zeros happen on either side.
Pair random_pair(Stream& stream, int outcomes) {
  Pair pair;
  pair.before.assign(static_cast<size_t>(outcomes), 0);
  pair.after = pair.before;
  for (int i = 0; i < 16; ++i) {
    pair.before[stream.below(static_cast<uint32_t>(outcomes))] += Rational(1, 16);
    pair.after[stream.below(static_cast<uint32_t>(outcomes))] += Rational(1, 16);
  }
  return pair;
}

double up(const Rational& exact) { return std::nextafter(static_cast<double>(exact), 2.0); }

LossCurve curve_of(const Pair& pair) {
  LossCurve curve;
  curve.low = kLowest;
  curve.values.clear();
  for (int i = kLowest; i <= kHighest; ++i)
    curve.values.push_back(up(exact_curve(pair, Rational(grid_ratio(i)))));
  return curve;
}

TEST(LossGrid, ACellHoldsTheRatiosFromItsPointToTheNext) {
  EXPECT_EQ(grid_ratio(0), 1);
  EXPECT_EQ(grid_cell(0), kLowest - 1);
  EXPECT_EQ(grid_cell(std::nextafter(grid_ratio(kLowest), 0.0)), kLowest - 1);
  EXPECT_EQ(grid_cell(1e300), kHighest);
  EXPECT_EQ(grid_cell(std::numeric_limits<double>::infinity()), kHighest);
  for (int i = kLowest; i <= kHighest; ++i) {
    EXPECT_EQ(grid_cell(grid_ratio(i)), i);
    EXPECT_EQ(grid_cell(std::nextafter(grid_ratio(i), 0.0)), i - 1);
    EXPECT_NEAR(std::log(grid_ratio(i)), i * kStep, 1e-14);
  }
}

TEST(LossCurve, OfEqualLawsIsOneMinusT) {
  const LossCurve equal;
  for (const int i : {kLowest, -40, -1}) EXPECT_NEAR(equal.at(i), 1 - grid_ratio(i), 1e-15);
  for (const int i : {0, 1, kHighest}) EXPECT_EQ(equal.at(i), 0);
  for (const double p : {0.0, 0.001, 0.3, 1.0}) EXPECT_EQ(equal.most(p), p);
}

TEST(LossCurve, RaiseIsThePointwiseMaximum) {
  Stream stream(3, 0, 0);
  for (int run = 0; run < 20; ++run) {
    LossCurve a, b;
    for (LossCurve* curve : {&a, &b}) {
      curve->low = static_cast<int>(stream.below(200)) - 100;
      double value = 1;
      curve->values.clear();
      for (uint32_t k = stream.below(50) + 1; k > 0; --k)
        curve->values.push_back(value *= stream.uniform());
    }
    LossCurve both = a;
    both.raise(b);
    for (int i = -160; i <= 160; ++i)
      EXPECT_NEAR(both.at(i), std::max(a.at(i), b.at(i)), i < both.low ? 1 : 1e-15) << i;
    for (int i = -160; i < both.low; ++i)  // the line to H(0) = 1
      EXPECT_GE(both.at(i), std::max(a.at(i), b.at(i)) - 1e-15) << i;
  }
}

// By Neyman and Pearson.
TEST(LossCurve, MostIsTheWorstEvent) {
  Stream stream(5, 0, 0);
  for (int run = 0; run < 50; ++run) {
    const Pair pair = random_pair(stream, 5);
    const LossCurve curve = curve_of(pair);
    std::vector<size_t> order(pair.before.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::sort(order.begin(), order.end(), [&](size_t i, size_t j) {
      return pair.after[i] * pair.before[j] > pair.after[j] * pair.before[i];
    });
    for (const double p : {0.0, 0.01, 0.1, 0.25, 0.5, 0.9}) {
      Rational left = Rational(p), worst = 0;
      for (const size_t i : order) {
        const Rational taken = std::min(left, pair.before[i]);
        worst += pair.before[i] == 0 ? pair.after[i] : pair.after[i] * taken / pair.before[i];
        left -= taken;
      }
      const double found = curve.most(p);
      EXPECT_GE(found, static_cast<double>(worst) - 1e-15);
      EXPECT_LE(found, static_cast<double>(worst) + 0.005);
    }
  }
}

// Between grid points the bound is the chord, so what is composed dominates, and by little.
TEST(LossDistribution, DominatesTheExactProduct) {
  Stream stream(7, 0, 0);
  for (int run = 0; run < 12; ++run) {
    LossDistribution composed;
    Pair exact{{1}, {1}};
    for (int factor = 1; factor <= 4; ++factor) {
      const Pair pair = random_pair(stream, 4);
      composed.compose(curve_of(pair));
      exact = product(exact, pair);
      const LossCurve curve = composed.curve();
      for (int i = kLowest; i <= kHighest; i += 61) {
        const double truth = static_cast<double>(exact_curve(exact, Rational(grid_ratio(i))));
        EXPECT_GE(curve.at(i), truth - 1e-15) << "t_" << i << ", " << factor << " factors";
        EXPECT_LE(curve.at(i), truth + 0.004 * factor) << "t_" << i << ", " << factor << " factors";
      }
    }
  }
}

TEST(LossDistribution, IsExactOnTheGrid) {
  // Ratios e^1, e^-1 and a part on either side alone.
  const double e = grid_ratio(64);
  const Rational p(0.2), q = p * Rational(e);
  const Pair pair{{p, q, 1 - p - q, 0}, {q, p, 0, 1 - p - q}};
  LossDistribution composed;
  Pair exact{{1}, {1}};
  for (int factor = 1; factor <= 5; ++factor) {
    composed.compose(curve_of(pair));
    exact = product(exact, pair);
    for (const int i : {-192, -64, -1, 0, 32, 64, 100, 256})
      EXPECT_NEAR(composed.curve().at(i),
                  static_cast<double>(exact_curve(exact, Rational(grid_ratio(i)))), 1e-10);
  }
}

TEST(LossDistribution, EqualLawsCostNothing) {
  LossDistribution composed;
  for (int factor = 0; factor < 500; ++factor) composed.compose(LossCurve{});
  for (const double p : {0.0, 1e-6, 0.25, 0.5}) EXPECT_NEAR(composed.curve().most(p), p, 2e-9);
}

// Ratios beyond the grid in both directions: the mass ends at infinity or at the bottom.
TEST(LossDistribution, HoldsBeyondTheGrid) {
  const Rational tiny(1, 1'000'000'000);
  const Pair pair{{tiny, 1 - tiny}, {1 - tiny, tiny}};
  LossDistribution composed;
  Pair exact{{1}, {1}};
  for (int factor = 1; factor <= 3; ++factor) {
    composed.compose(curve_of(pair));
    exact = product(exact, pair);
    for (int i = kLowest; i <= kHighest; i += 128) {
      const double truth = static_cast<double>(exact_curve(exact, Rational(grid_ratio(i))));
      EXPECT_GE(composed.curve().at(i), truth - 1e-15);
      EXPECT_LE(composed.curve().at(i), 1 + 1e-9);
    }
  }
}

TEST(LossDistribution, MoreFactorsNeverLowerTheCurve) {
  EXPECT_TRUE(rc::check([] {
    const int outcomes = *rc::gen::inRange(2, 6);
    Stream stream(*rc::gen::arbitrary<uint64_t>(), 0, 0);
    LossDistribution composed;
    composed.compose(curve_of(random_pair(stream, outcomes)));
    const LossCurve before = composed.curve();
    composed.compose(curve_of(random_pair(stream, outcomes)));
    const LossCurve after = composed.curve();
    for (int i = kLowest; i <= kHighest; i += 16) RC_ASSERT(after.at(i) >= before.at(i) - 1e-15);
  }));
}

}  // namespace
}  // namespace textcrs
