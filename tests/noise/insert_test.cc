#include <gtest/gtest.h>

#include <algorithm>

#include "noise/fixture.h"

namespace textcrs {
namespace {

using testing::context;

TEST(Insert, ShortTextsArePaddedAndAllSlotsShuffled) {
  const auto noise = make_noise("insert:sigma=0.2", context());  // 5 slots
  const Law law = noise->law(Words{3, 4});
  EXPECT_EQ(law.size(), 20u);  // 5 places for one word, 4 for the other
  for (const auto& [words, probability] : law) {
    EXPECT_NEAR(probability, 0.05, 1e-15);
    EXPECT_EQ(std::count(words.begin(), words.end(), kPad), 3);
  }
}

TEST(Insert, LongTextsAreCut) {
  const auto noise = make_noise("insert:sigma=0.2", context());
  const Law law = noise->law(Words{3, 3, 3, 3, 4, 5, 6});
  EXPECT_EQ(law.size(), 5u);
  EXPECT_TRUE(law.contains(Words{3, 4, 3, 3, 3}));
  EXPECT_GT(testing::fit(*noise, {3, 3, 3, 3, 4, 5, 6}, law), testing::kSmallestP);
}

TEST(Insert, CopiesFillTheModelsSlots) {
  NoiseContext wide;
  wide.slots = 256;
  const auto noise = make_noise("insert:sigma=1.5", wide);
  EXPECT_EQ(noise->sigma(), 1.5);
  Words copy;
  Stream stream(1, 2, 3);
  noise->sample(Words(300, 7), stream, copy);
  EXPECT_EQ(copy, Words(256, 7));
  noise->sample(Words(100, 7), stream, copy);
  EXPECT_EQ(copy.size(), 256u);
  EXPECT_EQ(std::count(copy.begin(), copy.end(), 7), 100);
}

}  // namespace
}  // namespace textcrs
