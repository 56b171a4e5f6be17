#include "noise/coin.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

// The first two draws of Stream(0, 0, 0) are 0x6627e8d5 and 0xe169c58d (tests/base/stream_test.cc).
TEST(Coin, TheSecondDrawDecidesWhenTheFirstIsATie) {
  const auto flip = [](double p, Stream stream) { return Coin(p).flip(stream); };
  EXPECT_TRUE(flip(std::ldexp(0x6627e8d5e169d000p0, -64), Stream(0, 0, 0)));
  EXPECT_FALSE(flip(std::ldexp(0x6627e8d5e169c000p0, -64), Stream(0, 0, 0)));
  EXPECT_TRUE(flip(std::ldexp(0x6627e8d6p0, -32), Stream(0, 0, 0)));
  EXPECT_FALSE(flip(std::ldexp(0x6627e8d5p0, -32), Stream(0, 0, 0)));
}

TEST(Coin, OneDrawAFlip) {
  Stream coin_stream(3, 1, 4), plain(3, 1, 4);
  const Coin coin(0.7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(coin.flip(coin_stream), plain() < 0.7 * 0x1p32);
}

TEST(Coin, ExtremeProbabilities) {
  Stream stream(1, 2, 3);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(Coin(1 - 0x1p-53).flip(stream));
    EXPECT_FALSE(Coin(1e-300).flip(stream));
  }
}

}  // namespace
}  // namespace textcrs
