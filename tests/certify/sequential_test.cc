// Stopping early: the looks, the decisions, and that alpha is kept whatever the rule.
#include "textcrs/certify/sequential.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>
#include <set>

#include "certify/simulated_votes.h"
#include "certify/text_of.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

std::unique_ptr<Certificate> sound(const char* noise) {
  return make_certificate(noise, CertificateMode::kSound, {256});
}

StopRule at_radius(double radius, std::optional<Operation> operation = {}) {
  return {radius, false, operation};
}
StopRule automatic() { return {std::nullopt, true, {}}; }

double allowed(int runs, double alpha) {
  return runs * alpha + 4 * std::sqrt(runs * alpha * (1 - alpha));
}

TEST(PlanLooks, SizesRiseToAllSamplesAndSharesStayWithinAlpha) {
  EXPECT_TRUE(rc::check([] {
    const auto first = *rc::gen::inRange<uint32_t>(1, 1000);
    const auto samples = *rc::gen::inRange<uint32_t>(1, 3'000'000);
    const double alpha = *rc::gen::element(0.5, 0.05, 0.001, 1e-12);
    const std::vector<Look> looks = plan_looks(first, samples, alpha);
    RC_ASSERT(looks.back().size == samples);
    long double sum = 0;
    for (size_t i = 0; i < looks.size(); ++i) {
      sum += looks[i].alpha;
      RC_ASSERT(looks[i].alpha > 0 && looks[i].alpha <= looks.back().alpha);
      if (i + 1 == looks.size()) continue;
      RC_ASSERT(looks[i].size > 0 && looks[i].size < looks[i + 1].size);
      RC_ASSERT((first + looks[i].size) % 128 == 0);
    }
    RC_ASSERT(sum <= alpha);
  }));
}

TEST(PlanLooks, TheSizesOfAUsualRun) {
  std::vector<uint32_t> sizes;
  for (const Look& look : plan_looks(100, 5000, 0.001)) sizes.push_back(look.size);
  EXPECT_EQ(sizes, (std::vector<uint32_t>{156, 284, 412, 540, 796, 1052, 1564, 2076, 3100, 5000}));
  EXPECT_EQ(plan_looks(100, 100'000, 0.001).size(), 19u);
}

TEST(PlanLooks, FewSamplesHaveOneLookWithAllOfAlpha) {
  const auto looks = plan_looks(100, 100, 0.01);
  ASSERT_EQ(looks.size(), 1u);
  EXPECT_EQ(looks[0].size, 100u);
  EXPECT_EQ(looks[0].alpha, 0.01);
}

// The probability that the lower bound passes the truth at any look, by dynamic programming over
// the counts. No stopping rule can do worse.
TEST(Sequential, ExactCoverageAtAllLooksTogether) {
  const double alpha = 0.05;
  const auto looks = plan_looks(128, 1000, alpha);
  ASSERT_GE(looks.size(), 5u);
  double worst = 0;
  for (const double p : {0.02, 0.1, 0.3, 0.5, 0.6, 0.75, 0.9, 0.95, 0.99, 0.999}) {
    std::vector<double> law = {1};  // of the count, on the paths that were right so far
    double missed = 0;
    uint32_t before = 0;
    for (const Look& look : looks) {
      const auto fresh = static_cast<int>(look.size - before);
      std::vector<double> step(static_cast<size_t>(fresh) + 1), next(look.size + 1);
      for (int k = 0; k <= fresh; ++k)
        step[static_cast<size_t>(k)] =
            std::exp(std::lgamma(fresh + 1) - std::lgamma(k + 1) - std::lgamma(fresh - k + 1) +
                     k * std::log(p) + (fresh - k) * std::log1p(-p));
      for (size_t i = 0; i < law.size(); ++i)
        for (size_t k = 0; k < step.size(); ++k) next[i + k] += law[i] * step[k];
      for (size_t k = next.size(); k-- > 0;) {
        if (clopper_pearson_lower(static_cast<int64_t>(k), look.size, look.alpha) <= p) break;
        missed += next[k];
        next[k] = 0;
      }
      law = std::move(next);
      before = look.size;
    }
    EXPECT_LE(missed, alpha) << p;
    worst = std::max(worst, missed);
  }
  EXPECT_GT(worst, alpha / 3);  // not needlessly careful
}

// Near the threshold of one edit, pA = 0.6, where early stops are most tempting.
TEST(Sequential, TheBoundAtTheStopIsWrongAtMostAlphaOften) {
  const auto certificate = sound("universal:p=0.9");
  CertifierOptions options{20, 1000, 0.05};
  for (const StopRule& rule : {at_radius(1), automatic()})
    for (const double p : {0.505, 0.6, 0.62}) {
      options.stop = rule;
      const int runs = 1000;
      int wrong = 0, early = 0;
      for (int run = 0; run < runs; ++run) {
        const auto result = certify_text(simulated_votes({p, 1 - p}, 5, static_cast<uint32_t>(run)),
                                         text_of(50), certificate.get(), nullptr, options);
        const double truth = result.prediction == 0 ? p : 1 - p;
        wrong += result.bounds.pa > truth;
        early += result.samples < 1020;
      }
      EXPECT_LE(wrong, allowed(runs, 0.05)) << p;
      EXPECT_GT(early, 0) << p;
    }
}

TEST(Sequential, JointBoundsAtTheStopAreWrongAtMostAlphaOften) {
  const auto certificate = sound("universal:p=0.9");
  CertifierOptions options{20, 800, 0.05, BoundsMethod::kJoint, automatic()};
  for (const std::vector<double>& shares : std::vector<std::vector<double>>{
           {0.45, 0.25, 0.2, 0.1}, {0.7, 0.1, 0.1, 0.1}, {0.55, 0.45, 0, 0}, {0.4, 0.3, 0.3}}) {
    const int runs = 1000;
    int wrong = 0;
    for (int run = 0; run < runs; ++run) {
      const auto result = certify_text(simulated_votes(shares, 6, static_cast<uint32_t>(run)),
                                       text_of(50), certificate.get(), nullptr, options);
      const auto top = static_cast<size_t>(result.prediction);
      double other = 0;
      for (size_t c = 0; c < shares.size(); ++c)
        if (c != top) other = std::max(other, shares[c]);
      wrong += result.bounds.pa > shares[top] || result.bounds.pb < other;
    }
    EXPECT_LE(wrong, allowed(runs, 0.05)) << shares[0];
  }
}

TEST(Sequential, DecidesOneEditWithATenthOfTheSamples) {
  const auto certificate = sound("universal:p=0.9");
  CertifierOptions options{100, 100'000, 0.001};
  options.stop = at_radius(1);
  uint64_t drawn = 0, texts = 0;
  for (const double p : {0.52, 0.56, 0.58, 0.62, 0.65, 0.7, 0.8, 0.95})
    for (uint32_t i = 0; i < 5; ++i, ++texts) {
      const auto result = certify_text(simulated_votes({p, 1 - p}, 7, i), text_of(200),
                                       certificate.get(), nullptr, options);
      if (result.prediction != 0) continue;
      EXPECT_EQ(result.sound.radius(Operation::kEdit) >= 1, p > 0.6) << p;
      EXPECT_EQ(result.stop, p > 0.6 ? StopReason::kReached : StopReason::kUnlikely) << p;
      drawn += result.samples;
    }
  EXPECT_LT(drawn, texts * 10'000);
}

// Four standard errors of the fixed sample around its threshold are left out.
TEST(Sequential, VerdictsAreThoseOfTheFixedSampleAwayFromTies) {
  const auto certificate = sound("universal:p=0.9");
  CertifierOptions fixed{50, 5000, 0.01}, early = fixed;
  early.stop = at_radius(1);
  const double threshold = 0.6 + 2.33 * std::sqrt(0.24 / 5000), near = 4 * std::sqrt(0.24 / 5000);
  int compared = 0;
  for (uint32_t i = 0; i < 300; ++i) {
    const double p = Stream(8, i, 0).uniform();
    if (std::abs(p - threshold) < near) continue;
    const VoteSource votes = simulated_votes({p, 1 - p}, 9, i);
    const auto a = certify_text(votes, text_of(80), certificate.get(), nullptr, fixed);
    const auto b = certify_text(votes, text_of(80), certificate.get(), nullptr, early);
    EXPECT_EQ(a.prediction, b.prediction);
    EXPECT_EQ(a.sound.radius(Operation::kEdit) >= 1, b.sound.radius(Operation::kEdit) >= 1) << p;
    EXPECT_LE(b.samples, a.samples);
    ++compared;
  }
  EXPECT_GT(compared, 200);
}

TEST(Sequential, AnAutomaticStopKeepsTheRadiusOfTheFixedSample) {
  const auto certificate = sound("universal:p=0.9");
  CertifierOptions fixed{50, 20'000, 0.001}, early = fixed;
  early.stop = automatic();
  uint64_t drawn = 0, texts = 60;
  int lower = 0;
  for (uint32_t i = 0; i < texts; ++i) {
    const double p = 0.5 + Stream(10, i, 0).uniform() / 2;
    const VoteSource votes = simulated_votes({p, 1 - p}, 11, i);
    const auto a = certify_text(votes, text_of(80), certificate.get(), nullptr, fixed);
    const auto b = certify_text(votes, text_of(80), certificate.get(), nullptr, early);
    EXPECT_LE(b.sound.radius(Operation::kEdit), a.sound.radius(Operation::kEdit) + 1);
    lower += b.sound.radius(Operation::kEdit) < a.sound.radius(Operation::kEdit);
    drawn += b.samples;
  }
  EXPECT_LE(lower, 6);
  EXPECT_LT(drawn, texts * 14'000);
}

TEST(Sequential, WhatIsClaimedIsWhatTheCertificateSays) {
  const auto certificate = sound("delete:p=0.8");
  EXPECT_TRUE(rc::check([&] {
    const double p = *rc::gen::inRange(0, 1001) / 1000.0;
    const double radius = *rc::gen::inRange(0, 5);
    CertifierOptions options{30, *rc::gen::inRange<uint32_t>(1, 3000), 0.01};
    options.stop = at_radius(radius, Operation::kDeletion);
    const auto text = *rc::gen::inRange<uint32_t>(0, 1000);
    const auto r = certify_text(simulated_votes({p, 1 - p}, 12, text), text_of(9),
                                certificate.get(), nullptr, options);
    if (r.abstained) {
      RC_ASSERT(!r.sound.certified && r.stop != StopReason::kReached);
      return;
    }
    const double certified = certificate->certify(r.bounds, 9).radius(Operation::kDeletion);
    RC_ASSERT(r.sound.radius(Operation::kDeletion) == certified);
    if (r.stop == StopReason::kReached) RC_ASSERT(certified >= radius);
    if (r.stop == StopReason::kUnreachable || r.stop == StopReason::kUnlikely)
      RC_ASSERT(certified < radius);
    RC_ASSERT((r.stop == StopReason::kAllDrawn) == (r.samples == 30 + options.estimation_samples));
  }));
}

// Unreachable is a statement about every future, and the best future is the one that decides it.
TEST(Sequential, NoFutureReachesWhatIsCalledUnreachable) {
  const auto certificate = sound("universal:p=0.9");
  EXPECT_TRUE(rc::check([&] {
    const auto method = *rc::gen::element(BoundsMethod::kComplement, BoundsMethod::kJoint);
    const double radius = *rc::gen::inRange(0, 4);
    const auto looks = plan_looks(0, *rc::gen::inRange<uint32_t>(400, 3000), 0.01);
    const auto look = *rc::gen::inRange<size_t>(0, looks.size() - 1);
    const int64_t drawn = looks[look].size;
    const int64_t other = *rc::gen::inRange<int64_t>(0, drawn + 1);
    Votes counts = {drawn - other, other / 2, other - other / 2};
    Bounds bounds = class_bounds(counts, 0, drawn, looks[look].alpha, method);
    const auto reaches = [&](Bounds b) {
      return b.pa > b.pb && certificate->certify(b, 30).radius(Operation::kEdit) >= radius;
    };
    const auto words = text_of(30);
    const auto text = certificate->for_text(words);
    const Stopping stopping(at_radius(radius), *certificate, *text, method, looks);
    const auto reason = stopping.decide(look, counts, 0, bounds);
    RC_ASSERT((reason == StopReason::kReached) == reaches(bounds));
    Votes best = counts;
    best[0] += looks.back().size - drawn;
    const bool possible =
        reaches(class_bounds(best, 0, looks.back().size, looks.back().alpha, method));
    RC_ASSERT(possible || reason == StopReason::kUnreachable);
    if (reason != StopReason::kUnreachable) return;
    RC_ASSERT(!possible);
    const double p = *rc::gen::element(0.5, 0.9, 1.0);
    for (size_t i = look + 1; i < looks.size(); ++i) {
      Stream stream(13, static_cast<uint32_t>(i), static_cast<uint32_t>(other));
      for (uint32_t s = looks[i - 1].size; s < looks[i].size; ++s)
        ++counts[stream.bernoulli(p) ? 0 : 1 + stream.below(2)];
      const Bounds now = class_bounds(counts, 0, looks[i].size, looks[i].alpha, method);
      bounds = {std::max(bounds.pa, now.pa), std::min(bounds.pb, now.pb)};
      RC_ASSERT(!reaches(bounds));
    }
  }));
}

TEST(Sequential, TheLastLookIsNeverAnEarlyStop) {
  const auto certificate = sound("universal:p=0.9");
  const auto looks = plan_looks(0, 1000, 0.01);
  const auto words = text_of(30);
  const auto text = certificate->for_text(words);
  const Stopping stopping(at_radius(1), *certificate, *text, BoundsMethod::kComplement, looks);
  EXPECT_EQ(stopping.decide(looks.size() - 1, {1000, 0}, 0, {0.99, 0.01}), std::nullopt);
  EXPECT_EQ(stopping.decide(0, {128, 0}, 0, {0.99, 0.01}), StopReason::kReached);
}

TEST(Sequential, AContinuousRadiusSettlesWithinOnePercent) {
  const auto certificate = sound("insert:sigma=0.5");
  CertifierOptions options{50, 1'000'000, 0.001};
  options.stop = automatic();
  const auto r = certify_text(simulated_votes({0.9, 0.1}, 14, 0), text_of(30), certificate.get(),
                              nullptr, options);
  EXPECT_EQ(r.stop, StopReason::kSettled);
  const double whole = certificate->certify({0.9, 0.1}, 30).radius(Operation::kInsertion);
  EXPECT_NEAR(r.sound.radius(Operation::kInsertion), whole, 0.02 * whole);
}

TEST(WatchedOperation, IsTheEditElseTheFirstThatIsNotFree) {
  EXPECT_EQ(watched_operation(*sound("universal:p=0.9"), std::nullopt), Operation::kEdit);
  EXPECT_EQ(watched_operation(*sound("universal:p=0.9"), Operation::kReordering),
            Operation::kReordering);
  EXPECT_EQ(watched_operation(*sound("mask:p=0.9"), std::nullopt), Operation::kSubstitution);
  EXPECT_EQ(watched_operation(*sound("reorder:block=4"), std::nullopt), Operation::kReordering);
  EXPECT_NE(watched_operation(*sound("insert:sigma=0.5"), std::nullopt), Operation::kReordering);
  EXPECT_THROW(watched_operation(*sound("mask:p=0.9"), Operation::kEdit), Error);
}

TEST(StopReason, EveryReasonHasItsName) {
  std::set<std::string_view> names;
  for (const StopReason reason : {StopReason::kAllDrawn, StopReason::kReached, StopReason::kSettled,
                                  StopReason::kUnreachable, StopReason::kUnlikely})
    names.insert(to_string(reason));
  EXPECT_EQ(names.size(), 5u);
}

}  // namespace
}  // namespace textcrs
