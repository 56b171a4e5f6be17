#include "noise/laws.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "noise/fixture.h"

namespace textcrs {
namespace {

using ::textcrs::testing::total;

TEST(Laws, ShuffledRepeatsCountOnce) {
  const Law expected = {{{3, 3, 4}, 1.0 / 3}, {{3, 4, 3}, 1.0 / 3}, {{4, 3, 3}, 1.0 / 3}};
  EXPECT_EQ(shuffled(Words{3, 4, 3}), expected);
  EXPECT_EQ(shuffled(Words{}), (Law{{{}, 1.0}}));
}

TEST(Laws, JoinedLawsMultiply) {
  const Law left = {{{}, 0.25}, {{3}, 0.75}}, right = {{{3}, 0.5}, {{3, 3}, 0.5}};
  const Law expected = {{{3}, 0.125}, {{3, 3}, 0.125 + 0.375}, {{3, 3, 3}, 0.375}};
  EXPECT_EQ(joined(left, right), expected);
}

TEST(Laws, MixturesAddUp) {
  Law law;
  mix_in(law, certain(Words{3}), 0.5);
  mix_in(law, shuffled(Words{3, 4}), 0.5);
  EXPECT_EQ(law, (Law{{{3}, 0.5}, {{3, 4}, 0.25}, {{4, 3}, 0.25}}));
}

TEST(Laws, ShuffledStopsAboveAMillion) {
  EXPECT_EQ(shuffled(Words{3, 4, 5, 6, 7, 8, 9}).size(), 5040u);
  EXPECT_THROW(shuffled(Words{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}), std::logic_error);
  EXPECT_NEAR(total(shuffled(Words{1, 1, 1, 1, 1, 6, 7, 8, 1, 1})), 1, 1e-12);
}

}  // namespace
}  // namespace textcrs
