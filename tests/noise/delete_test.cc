#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "noise/fixture.h"

namespace textcrs {
namespace {

using testing::total_variation;

// Every subset of the positions survives with (1-p)^kept p^removed; each order of the survivors, as
// positions, has the same share.
Law by_subsets(const Words& text, double p, bool shuffle) {
  Law law;
  const size_t m = text.size();
  for (unsigned subset = 0; subset < 1u << m; ++subset) {
    std::vector<size_t> kept;
    for (size_t i = 0; i < m; ++i)
      if (subset >> i & 1) kept.push_back(i);
    const double probability =
        std::pow(1 - p, std::popcount(subset)) * std::pow(p, m - kept.size());
    const double orders = shuffle ? std::tgamma(static_cast<double>(kept.size()) + 1) : 1;
    do {
      Words words;
      for (const size_t i : kept) words.push_back(text[i]);
      law[words] += probability / orders;
    } while (shuffle && std::next_permutation(kept.begin(), kept.end()));
  }
  return law;
}

TEST(Delete, LawIsTheSumOverSubsets) {
  for (const Words& text : {Words{3, 4, 5, 6, 7}, Words{3, 4, 3, 3, 4}, Words{kUnk, 9}, Words{}}) {
    for (const double p : {0.1, 0.5, 0.9}) {
      const std::string value = std::to_string(p);
      EXPECT_LT(
          total_variation(make_noise("delete:p=" + value)->law(text), by_subsets(text, p, false)),
          1e-12);
      EXPECT_LT(
          total_variation(make_noise("universal:p=" + value)->law(text), by_subsets(text, p, true)),
          1e-12);
    }
  }
}

// The first two draws of Stream(0, 0, 0) are 0x6627e8d5 and 0xe169c58d: the second decides about
// the first word, so the third is for the second word.
TEST(Delete, ABagAsksTwiceWhereTheFirstDrawIsATie) {
  Words text(40);
  std::iota(text.begin(), text.end(), kFirstWord);
  for (const double threshold : {0x6627e8d5e169d000p0, 0x6627e8d5e169c000p0}) {
    const auto noise = make_noise(fmt::format("delete:p={}", std::ldexp(threshold, -64)));
    Words copy, bag;
    Stream stream(0, 0, 0);
    noise->sample(text, stream, copy);
    noise->sample_bag(text, Stream(0, 0, 0), bag);
    EXPECT_EQ(copy, bag);
    EXPECT_EQ(copy[0] == kFirstWord, threshold == 0x6627e8d5e169c000p0);
  }
}

// docs/certificates.md, B1: the noise around x without a word is the noise around x, given that the
// word is gone.
TEST(Delete, DeletingAWordConditionsTheNoise) {
  const auto noise = make_noise("delete:p=0.3");
  const Law whole = noise->law(Words{3, 4, 5, 6}), shorter = noise->law(Words{3, 5, 6});
  Law conditioned;
  for (const auto& [words, probability] : whole)
    if (std::find(words.begin(), words.end(), 4) == words.end())
      conditioned[words] = probability / 0.3;
  EXPECT_LT(total_variation(conditioned, shorter), 1e-12);
}

TEST(Delete, ShuffledAndUniversalAreTheSameNoise) {
  const auto shuffled = make_noise("delete:p=0.4,order=shuffled");
  const auto universal = make_noise("universal:p=0.4");
  const Words text = {3, 4, 5, 3, 6, 7};
  EXPECT_EQ(shuffled->law(text), universal->law(text));
  for (uint32_t i = 0; i < 20; ++i) {
    Words a, b;
    Stream first(1, 2, i), second(1, 2, i);
    shuffled->sample(text, first, a);
    universal->sample(text, second, b);
    EXPECT_EQ(a, b);
  }
}

// docs/certificates.md, B3: the law depends on the multiset of words only.
TEST(Universal, AnyReorderingLeavesTheLaw) {
  const auto noise = make_noise("universal:p=0.5");
  Words text = {3, 4, 4, 5};
  const Law law = noise->law(text);
  do {
    EXPECT_LT(total_variation(noise->law(text), law), 1e-12);
    EXPECT_GT(testing::fit(*noise, text, law), testing::kSmallestP);
  } while (std::next_permutation(text.begin(), text.end()));
}

TEST(Delete, LongCopiesKeepTheRightShareInOrder) {
  const auto noise = make_noise("delete:p=0.9");
  Words text(250), copy;
  std::iota(text.begin(), text.end(), 3);
  double kept = 0;
  for (uint32_t i = 0; i < 4000; ++i) {
    Stream stream(8, 0, i);
    noise->sample(text, stream, copy);
    kept += static_cast<double>(copy.size());
    EXPECT_TRUE(std::is_sorted(copy.begin(), copy.end()));
  }
  EXPECT_NEAR(kept / 4000, 25, 5 * std::sqrt(250 * 0.09 / 4000));
}

}  // namespace
}  // namespace textcrs
