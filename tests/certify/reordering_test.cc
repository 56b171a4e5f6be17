// B4 against the exact laws of tiny texts.
#include <gtest/gtest.h>

#include <cmath>

#include "certify/oracle.h"

namespace textcrs {
namespace {

using namespace oracle;

CertifiedSet certified(int length, Bounds bounds, int words) {
  return make_certificate("reorder:block=" + std::to_string(length), CertificateMode::kSound, {256})
      ->certify(bounds, words);
}

int displacement(const ExactText& reordered) {  // of distinct_words(m)
  int sum = 0;
  for (size_t i = 0; i < reordered.size(); ++i)
    sum += std::abs(reordered[i] - static_cast<int>(i) - 1);
  return sum;
}

// The width of the smallest window that holds everything that moved.
int window(const ExactText& reordered) {
  int first = static_cast<int>(reordered.size()), last = -1;
  for (int i = 0; i < static_cast<int>(reordered.size()); ++i)
    if (reordered[static_cast<size_t>(i)] != i + 1) first = std::min(first, i), last = i;
  return last < 0 ? 0 : last - first + 1;
}

TEST(BlockReordering, ASwapOfNeighboursHasTotalVariationOneOverL) {
  for (int m = 2; m <= 5; ++m)
    for (int length = 2; length <= 6; ++length)
      for (int i = 0; i + 1 < m; ++i) {
        ExactText swapped = distinct_words(m);
        std::swap(swapped[static_cast<size_t>(i)], swapped[static_cast<size_t>(i + 1)]);
        EXPECT_EQ(total_variation(block_law(distinct_words(m), length), block_law(swapped, length)),
                  Rational(1, length));
      }
}

TEST(BlockReordering, NeverClaimsMoreThanTheWorstCase) {
  int claims = 0;
  for (int m = 2; m <= 5; ++m)
    for (const int length : {2, 3, 4, 5, 8}) {
      const ExactLaw law = block_law(distinct_words(m), length);
      ExactText reordered = distinct_words(m);
      while (std::next_permutation(reordered.begin(), reordered.end())) {
        const WorstCase worst(law, block_law(reordered, length));
        for (const Bounds bounds : bounds_to_try()) {
          const CertifiedSet set = certified(length, bounds, m);
          const bool claimed =
              set.certified && (displacement(reordered) <= set.radius(Operation::kReordering) ||
                                window(reordered) <= set.window);
          if (!claimed) continue;
          ++claims;
          ASSERT_TRUE(worst.robust(bounds)) << m << " L=" << length << " pA=" << bounds.pa;
        }
      }
    }
  EXPECT_GT(claims, 1000);
}

// As long as the worst yA fills up among the outcomes of ratio 1 (for pA near 1 it must take some
// of higher ratio, and the truth is better than L1) a swap is certified iff no base classifier
// escapes.
TEST(BlockReordering, ASwapIsCertifiedExactlyWhereTheWorstCaseAllows) {
  const int m = 6, length = 4;
  const ExactText text = distinct_words(m);
  const ExactText swapped = {1, 2, 4, 3, 5, 6};
  const ExactLaw law = block_law(text, length), other = block_law(swapped, length);
  Rational below = 0, equal = 0;  // P(ratio < 1), P(ratio = 1)
  for (const auto& [before, after] : by_ratio(law, other)) {
    if (after < before) below += before;
    if (after == before) equal += before;
  }
  const WorstCase worst(law, other);
  int certified_ones = 0, refused = 0;
  for (int k = 501; k < 1000; ++k) {
    const double pa = k / 1000.0;
    if (Rational(pa) < below || Rational(pa) > below + equal) continue;
    const bool claimed = certified(length, {pa, 1 - pa}, m).window >= 2;
    EXPECT_EQ(claimed, worst.robust({pa, 1 - pa})) << pa;
    ++(claimed ? certified_ones : refused);
  }
  EXPECT_GT(certified_ones, 50);  // pA > 3/4 = 1/2 + 1/L
  EXPECT_GT(refused, 50);
}

TEST(BlockReordering, KnownRadii) {
  // L (pA - pB) = 16 * .998 = 15.968: the largest even number below is 14, c = 7 gaps.
  const CertifiedSet set = certified(16, {0.999, 0.001}, 100);
  EXPECT_EQ(set.radius(Operation::kReordering), 14);
  EXPECT_EQ(set.window, 8);
  // A tie: L (pA - pB) = 16 * 1/2 = 8 certifies l1 < 8 only.
  EXPECT_EQ(certified(16, {0.75, 0.25}, 100).radius(Operation::kReordering), 6);
  EXPECT_EQ(certified(16, {std::nextafter(0.75, 1.0), 0.25}, 100).radius(Operation::kReordering),
            8);
  EXPECT_EQ(certified(16, {0.51, 0.49}, 100).radius(Operation::kReordering), 0);
  EXPECT_EQ(certified(1, {1, 0}, 100).radius(Operation::kReordering), 0);
  // 7 gaps are all that 8 words have.
  EXPECT_EQ(certified(16, {0.999, 0.001}, 8).radius(Operation::kReordering), kUnlimited);
  EXPECT_EQ(certified(16, {0.999, 0.001}, 9).radius(Operation::kReordering), 14);
}

TEST(FullReordering, EveryReorderingIsCertifiedOnceThePredictionIs) {
  const auto full = make_certificate("reorder:full", CertificateMode::kSound, {256});
  EXPECT_EQ(full->certify({0.500001, 0.499999}, 300).radius(Operation::kReordering), kUnlimited);
  EXPECT_FALSE(full->certify({0.5, 0.5}, 300).certified);
  ExactLaw law;
  add_shuffled({1, 2, 3, 3}, 1, law);
  ExactLaw reordered;
  add_shuffled({3, 1, 3, 2}, 1, reordered);
  EXPECT_EQ(law, reordered);
}

}  // namespace
}  // namespace textcrs
