#include <gtest/gtest.h>

#include "noise/fixture.h"

namespace textcrs {
namespace {

TEST(Mask, LawOfTwoWords) {
  const Law expected = {{{3, 4}, 0.75 * 0.75},
                        {{3, kMask}, 0.75 * 0.25},
                        {{kMask, 4}, 0.25 * 0.75},
                        {{kMask, kMask}, 0.25 * 0.25}};
  EXPECT_EQ(make_noise("mask:p=0.25")->law(Words{3, 4}), expected);
}

TEST(Mask, AMaskedMaskStays) {
  EXPECT_EQ(make_noise("mask:p=0.25")->law(Words{kMask}), (Law{{{kMask}, 1.0}}));
}

// docs/certificates.md, B7: the laws around texts that differ in R words overlap in p^R.
TEST(Mask, SubstitutedWordsAreHiddenTogetherWithProbabilityPToTheR) {
  const auto noise = make_noise("mask:p=0.7");
  EXPECT_NEAR(
      testing::total_variation(noise->law(Words{3, 4, 5, 6}), noise->law(Words{3, 7, 5, 8})),
      1 - 0.49, 1e-12);
}

}  // namespace
}  // namespace textcrs
