// Comparing the kernels of two words, against sums over all words.
#include "certify/kernel_pair.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "certify/substitution_oracle.h"

namespace textcrs {
namespace {

using namespace oracle;

TEST(KernelPair, BoundsTheCurveFromAbove) {
  for (const std::string& spec : substitution_specs()) {
    const SubstitutionKernel kernel(rule_of(spec), small_graph());
    for (WordId word = kFirstWord; word < small_graph().size(); ++word) {
      KernelPair pair(kernel, word);
      const ExactLaw before = substitution_law(kernel, {word});
      for (WordId other = kFirstWord; other < small_graph().size(); ++other) {
        const ExactLaw after = substitution_law(kernel, {other});
        const WordRisk risk = pair.with(other);
        for (int i = kLowest; i <= kHighest; i += 16) {
          Rational exact = 0;
          for (const auto& [outcome, mass] : after) {
            const auto found = before.find(outcome);
            const Rational base = found == before.end() ? Rational(0) : found->second;
            exact += std::max<Rational>(0, mass - Rational(grid_ratio(i)) * base);
          }
          const double truth = static_cast<double>(exact);
          EXPECT_GE(risk.curve.at(i), truth - 1e-15) << spec << word << " " << other << " " << i;
          // The bound is a chord from the least loss down to t = 0, and may not rise again where
          // the error of the drawn law, which grows with t, would raise it.
          if (i >= risk.curve.low)
            EXPECT_LE(risk.curve.at(i), truth + 1e-11) << spec << word << " " << other << " " << i;
        }
        EXPECT_NEAR(risk.variation(), static_cast<double>(total_variation(before, after)), 1e-12);
      }
    }
  }
}

TEST(KernelPair, TheRatioIsFiniteJustForEqualSupports) {
  // 3, 4, 5 are a clique of their own: the staircase orders their lists differently.
  const SynonymTable clique("clique", {{}, {}, {}, {4, 5}, {3, 5}, {3, 4}, {7}, {6}});
  const SubstitutionKernel kernel(rule_of("substitute:kernel=staircase,size=3,eps=0.5"), clique);
  KernelPair pair(kernel, 3);
  EXPECT_NEAR(pair.with(4).log_ratio, 0.5, 1e-10);
  EXPECT_GE(pair.with(4).log_ratio, 0.5);
  EXPECT_NEAR(pair.with(5).log_ratio, 1.0, 1e-10);
  EXPECT_EQ(pair.with(6).log_ratio, kUnlimited);
  EXPECT_EQ(pair.with(3).log_ratio, 0);
  EXPECT_EQ(KernelPair(kernel, 6).with(3).log_ratio, kUnlimited);
}

TEST(KernelPair, EqualLawsCostTheErrorOfTheDrawAlone) {
  const SubstitutionKernel kernel(rule_of("substitute:kernel=cluster,size=3"), small_graph());
  const WordRisk risk = KernelPair(kernel, 3).with(4);
  EXPECT_GT(risk.variation(), 0);
  EXPECT_LT(risk.variation(), 1e-13);
  EXPECT_LT(risk.log_ratio, 1e-12);
}

TEST(KernelPair, WordsBeyondTheTableStayThemselves) {
  const SubstitutionKernel kernel(rule_of("substitute:kernel=uniform"), small_graph());
  EXPECT_EQ(KernelPair(kernel, 1000).with(1001).variation(), 1);
  EXPECT_EQ(KernelPair(kernel, 1000).with(1000).variation(), 0);
  EXPECT_EQ(KernelPair(kernel, 3).with(1000).variation(), 1);
  EXPECT_EQ(KernelPair(kernel, kUnk).with(3).variation(), 1);
}

}  // namespace
}  // namespace textcrs
