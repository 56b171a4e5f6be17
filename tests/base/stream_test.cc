#include "textcrs/base/stream.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace textcrs {
namespace {

TEST(Stream, SameKeyGivesSameNumbers) {
  Stream a(7, 3, 5), b(7, 3, 5);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a(), b());
}

TEST(Stream, EveryPartOfTheKeyMatters) {
  const uint32_t first = Stream(7, 3, 5)();
  EXPECT_NE(first, Stream(8, 3, 5)());
  EXPECT_NE(first, Stream(7ULL | 1ULL << 40, 3, 5)());
  EXPECT_NE(first, Stream(7, 4, 5)());
  EXPECT_NE(first, Stream(7, 3, 6)());
  EXPECT_NE(first, Stream(7, 3, 5).lane(1)());
}

// Known-answer test of Philox4x32-10 with a zero key and a zero counter (Random123's kat_vectors).
TEST(Stream, IsPhilox) {
  Stream stream(0, 0, 0);
  EXPECT_EQ(stream(), 0x6627e8d5u);
  EXPECT_EQ(stream(), 0xe169c58du);
  EXPECT_EQ(stream(), 0xbc57ac4cu);
  EXPECT_EQ(stream(), 0x9b00dbd8u);
}

TEST(Stream, PositionIsTheNextBlock) {
  Stream stream(0x700000009, 3, 5, 2);
  EXPECT_EQ(stream.position().block, 0u);
  for (int i = 0; i < 5; ++i) stream();
  EXPECT_EQ(stream.position().block, 2u);
  std::vector<float> draws(5);
  stream.normals(draws);
  const Stream::Position position = stream.position();
  EXPECT_EQ(position.block, 4u);
  EXPECT_EQ(position.seed, 0x700000009u);
  EXPECT_EQ(position.example, 3u);
  EXPECT_EQ(position.sample, 5u);
  EXPECT_EQ(position.lane, 2u);
}

TEST(Stream, BelowIsUniform) {
  Stream stream(1, 0, 0);
  std::array<int, 6> counts{};
  const int draws = 60000;
  for (int i = 0; i < draws; ++i) ++counts[stream.below(6)];
  double chi2 = 0;
  for (int count : counts) chi2 += std::pow(count - draws / 6.0, 2) / (draws / 6.0);
  EXPECT_LT(chi2, 25.7);  // 5 degrees of freedom, p = 1e-4
}

TEST(Stream, NormalsHaveMomentsOfTheNormalLaw) {
  Stream stream(2, 0, 0);
  std::vector<float> draws(100001);  // odd: the last pair is cut
  stream.normals(draws);
  double mean = 0, square = 0, fourth = 0;
  for (float x : draws) mean += x, square += x * x, fourth += std::pow(x, 4);
  const double n = static_cast<double>(draws.size());
  EXPECT_NEAR(mean / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(square / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96 / n));
}

TEST(Stream, ShuffleReachesEveryPermutationEqually) {
  std::array<int, 6> counts{};
  const int draws = 60000;
  for (int i = 0; i < draws; ++i) {
    Stream stream(3, 0, static_cast<uint32_t>(i));
    std::vector<int> items = {0, 1, 2};
    stream.shuffle(std::span<int>(items));
    ++counts[items[0] * 2 + (items[1] > items[2])];
  }
  double chi2 = 0;
  for (int count : counts) chi2 += std::pow(count - draws / 6.0, 2) / (draws / 6.0);
  EXPECT_LT(chi2, 25.7);
}

}  // namespace
}  // namespace textcrs
