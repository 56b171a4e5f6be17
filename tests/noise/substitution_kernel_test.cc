#include "textcrs/noise/substitution_kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <stdexcept>

#include "noise/fixture.h"

namespace textcrs {
namespace {

using testing::synonyms;
using Probabilities = std::map<WordId, double>;

SubstitutionRule rule(const std::string& text) {
  return SubstitutionRule::parse(Spec::parse(text));
}

Probabilities kernel_of(const std::string& text, WordId word) {
  const SubstitutionKernel kernel(rule(text), synonyms());
  Probabilities law;
  for (const auto& [other, probability] : kernel.of(word)) law[other] = probability;
  return law;
}

void expect_near(const Probabilities& found, const Probabilities& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (const auto& [word, probability] : expected)
    EXPECT_NEAR(found.contains(word) ? found.at(word) : 0, probability, 1e-15) << word;
}

TEST(SubstitutionRule, Defaults) {
  EXPECT_EQ(rule("substitute:kernel=staircase,size=50").eps, 0.1);  // the paper's 5 / s
  EXPECT_EQ(rule("substitute:kernel=graph").eps, 1);
  EXPECT_EQ(rule("substitute:kernel=graph").reach, 2);
  EXPECT_EQ(rule("substitute:kernel=uniform").size, 0);
}

TEST(SubstitutionKernel, Uniform) {
  const double quarter = 0.25, third = 1.0 / 3;
  expect_near(kernel_of("substitute:kernel=uniform", 3),
              {{3, quarter}, {4, quarter}, {5, quarter}, {6, quarter}});
  // 3 - 6 and 5 - 7 are not among the first two candidates of both.
  expect_near(kernel_of("substitute:kernel=uniform,size=3", 3),
              {{3, third}, {4, third}, {5, third}});
  expect_near(kernel_of("substitute:kernel=uniform,size=3", 6), {{6, 1}});
  expect_near(kernel_of("substitute:kernel=uniform,size=1", 3), {{3, 1}});
}

TEST(SubstitutionKernel, StaircaseFallsWithTheRank) {
  const double e1 = std::exp(-1.0), e2 = std::exp(-2.0), sum = 1 + e1 + e2;
  expect_near(kernel_of("substitute:kernel=staircase,size=3,eps=1", 3),
              {{3, 1 / sum}, {4, e1 / sum}, {5, e2 / sum}});
  expect_near(kernel_of("substitute:kernel=staircase,size=3,eps=1", 6),
              {{6, 1 / (1 + e1)}, {3, e1 / (1 + e1)}});
  const double f1 = std::exp(-0.5);  // eps = 5 / 10
  expect_near(kernel_of("substitute:kernel=staircase,size=10", 6),
              {{6, 1 / (1 + f1)}, {3, f1 / (1 + f1)}});
}

TEST(SubstitutionKernel, GraphFallsWithTheDistance) {
  const double e1 = std::exp(-1.0), e2 = std::exp(-2.0);
  const double sum = 1 + e1 + 2 * e2;  // 7; 5; 4 and 3
  expect_near(kernel_of("substitute:kernel=graph", 7),
              {{7, 1 / sum}, {5, e1 / sum}, {4, e2 / sum}, {3, e2 / sum}});
  expect_near(kernel_of("substitute:kernel=graph,size=3", 7), {{7, 1}});
}

TEST(SubstitutionKernel, WordsOfAClusterHaveOneLaw) {
  const Probabilities law = kernel_of("substitute:kernel=cluster,size=3", 3);
  expect_near(law, {{3, 1.0 / 3}, {4, 1.0 / 3}, {5, 1.0 / 3}});
  EXPECT_EQ(kernel_of("substitute:kernel=cluster,size=3", 4), law);
  EXPECT_EQ(kernel_of("substitute:kernel=cluster,size=3", 5), law);
}

// docs/certificates.md, B6: neighbours' kernels differ by at most e^(2 eps) where both are
// positive.
TEST(SubstitutionKernel, GraphKernelsOfNeighboursAreClose) {
  for (WordId word = 3; word < 8; ++word) {
    const Probabilities here = kernel_of("substitute:kernel=graph,eps=0.7", word);
    for (const WordId other : synonyms().of(word)) {
      for (const auto& [target, probability] : kernel_of("substitute:kernel=graph,eps=0.7", other))
        if (here.contains(target))
          EXPECT_LE(std::abs(std::log(here.at(target) / probability)), 1.4 + 1e-12);
    }
  }
}

TEST(SubstitutionKernel, TheWordItselfComesFirstAndAllSumsAreOne) {
  for (const char* text : {"substitute:kernel=uniform", "substitute:kernel=staircase,size=250",
                           "substitute:kernel=cluster,size=4", "substitute:kernel=graph,reach=3"}) {
    const SubstitutionKernel kernel(rule(text), synonyms());
    for (WordId word = 0; word < 10; ++word) {
      const auto entries = kernel.of(word);
      EXPECT_EQ(entries.front().word, word);
      double sum = 0;
      for (const auto& entry : entries) {
        sum += entry.probability;
        EXPECT_GT(entry.probability, 0);
      }
      EXPECT_NEAR(sum, 1, 1e-12);
      EXPECT_EQ(kernel.of(word).data(), entries.data());
    }
  }
}

TEST(SubstitutionKernel, WordsThatStayTakeNothingFromTheStream) {
  const SubstitutionKernel kernel(rule("substitute:kernel=graph"), synonyms());
  Stream stream(1, 2, 3), untouched(1, 2, 3);
  for (const WordId word : {kPad, kUnk, kMask, 8, 9, 10, 1000}) {
    EXPECT_EQ(kernel.draw(word, stream), word);
    ASSERT_EQ(kernel.of(word).size(), 1u);
    EXPECT_EQ(kernel.of(word)[0].word, word);
    EXPECT_EQ(kernel.of(word)[0].probability, 1);
  }
  EXPECT_EQ(stream(), untouched());
}

TEST(SubstitutionKernel, VanishingStepsAreNoPartOfTheSupport) {
  expect_near(kernel_of("substitute:kernel=staircase,size=3,eps=1e300", 3), {{3, 1}});
}

// A long list with probabilities over 20 orders of magnitude: the alias table against the law.
TEST(SubstitutionKernel, DrawsOfALongList) {
  std::vector<std::vector<WordId>> lists(103);
  for (WordId other = 4; other < 103; ++other) {
    lists[3].push_back(other);
    lists[static_cast<size_t>(other)].push_back(3);
  }
  const SynonymTable star("star", lists);
  const auto noise = make_noise("substitute:kernel=staircase,size=100,eps=0.45", {nullptr, &star});
  const Law law = noise->law(Words{3});
  EXPECT_EQ(law.size(), 100u);
  EXPECT_GT(testing::fit(*noise, {3}, law, 200000), testing::kSmallestP);
}

TEST(SubstitutionKernel, AnAsymmetricTableIsABug) {
  const SynonymTable table("one way", {{}, {}, {}, {4}, {}});
  EXPECT_THROW(SubstitutionKernel(rule("substitute:kernel=uniform"), table), std::logic_error);
}

}  // namespace
}  // namespace textcrs
