#include "kernels/normals.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

namespace textcrs {
namespace {

std::vector<float> normals_of(Isa isa, const Stream& stream, uint64_t first, size_t count) {
  std::vector<float> out(count);
  normals_at(isa, stream, first, out);
  return out;
}

std::vector<uint32_t> words_of(Isa isa, const Stream& stream, uint64_t first, size_t count) {
  std::vector<uint32_t> out(count);
  words_at(isa, stream, first, out);
  return out;
}

// The two normals of two words, as Stream::normals() makes them.
std::pair<float, float> box_muller(uint32_t x, uint32_t y) {
  const float u = (static_cast<float>(x >> 8) + 1) * 0x1p-24f;
  const float angle = 2 * std::numbers::pi_v<float> * (static_cast<float>(y >> 8) * 0x1p-24f);
  const float radius = std::sqrt(-2 * std::log(u));
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// In units of the error that is promised; a NaN is far away.
double distance(float got, float expected) {
  const double off = std::abs(static_cast<double>(got) - static_cast<double>(expected)) /
                     (2e-6 * std::max(1.0, std::abs(static_cast<double>(expected))));
  return std::isnan(off) ? 1e9 : off;
}

// The largest distance over the pairs (x, y) of words; their number is a multiple of two.
double largest_distance(Isa isa, const std::vector<uint32_t>& words) {
  std::vector<float> got(words.size());
  normals_of_words(isa, words, got);
  double largest = 0;
  for (size_t i = 0; i < words.size(); i += 2) {
    const auto [cosine, sine] = box_muller(words[i], words[i + 1]);
    largest = std::max({largest, distance(got[i], cosine), distance(got[i + 1], sine)});
  }
  return largest;
}

// Every 37th of the 2^24 values that a word's upper bits can have, the first and the last 1000, and
// 1000 on either side of the multiples of 2^21, where an octant of the angle and a binary exponent
// of u end; as words, with lower bits.
std::vector<uint32_t> many_words() {
  constexpr uint32_t kValues = 1u << 24;
  std::vector<uint32_t> words;
  const auto add = [&](uint32_t value) { words.push_back(value << 8 | (value & 255)); };
  for (uint32_t value = 0; value < kValues; value += 37) add(value);
  for (uint32_t edge = 0; edge <= kValues; edge += 1u << 21)
    for (uint32_t value = std::max(edge, 1000u) - 1000; value < edge + 1000; ++value)
      if (value < kValues) add(value);
  while (words.size() % 2 != 0) add(0);
  return words;
}

TEST(Normals, WordsAreThoseOfTheStream) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint32_t example, uint32_t sample, uint32_t lane) {
    const auto used = *rc::gen::inRange<size_t>(0, 20), first = *rc::gen::inRange<size_t>(0, 50);
    const size_t count = 4 * *rc::gen::inRange<size_t>(0, 50);
    Stream stream(seed, example, sample, lane);
    for (size_t i = 0; i < 4 * used; ++i) stream();
    const Stream at = stream;
    std::vector<uint32_t> expected(count);
    for (size_t i = 0; i < 4 * first; ++i) stream();
    for (uint32_t& word : expected) word = stream();
    for (const Isa isa : available_isas()) RC_ASSERT(words_of(isa, at, first, count) == expected);
  }));
}

// Random123's kat_vectors for philox4x32 10.
TEST(Normals, WordsOfLargeCountersAreThosePublished) {
  for (const Isa isa : available_isas()) {
    const Stream digits_of_pi(0x299f31d0a4093822, 0x13198a2e, 0x85a308d3, 0x03707344);
    EXPECT_EQ(words_of(isa, digits_of_pi, 0x243f6a88, 4),
              (std::vector<uint32_t>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
    const Stream ones(~0ull, ~0u, ~0u, ~0u);
    EXPECT_EQ(words_of(isa, ones, 0xffffffff, 4),
              (std::vector<uint32_t>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  }
}

TEST(Normals, BlocksGoOnBeyond16BitsAndWrapAfter32) {
  Stream stream(5, 6, 7, 1);
  const Stream start = stream;
  std::vector<uint32_t> expected(280000);
  for (uint32_t& word : expected) word = stream();
  for (const Isa isa : available_isas()) {
    EXPECT_EQ(words_of(isa, start, 0, expected.size()), expected);
    const auto around = words_of(isa, start, 0xfffffffd, 160);
    EXPECT_EQ(std::vector<uint32_t>(around.begin() + 12, around.end()),
              std::vector<uint32_t>(expected.begin(), expected.begin() + 148));
  }
}

TEST(Normals, AreThoseOfTheStream) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint32_t example, uint32_t sample, uint32_t lane) {
    const auto used = *rc::gen::inRange<size_t>(0, 20), first = *rc::gen::inRange<size_t>(0, 3000),
               count = *rc::gen::inRange<size_t>(0, 400);
    Stream stream(seed, example, sample, lane);
    for (size_t i = 0; i < used; ++i) stream();
    const Stream at = stream;
    std::vector<float> expected(first + count);
    stream.normals(expected);
    for (const Isa isa : available_isas()) {
      const std::vector<float> got = normals_of(isa, at, first, count);
      for (size_t i = 0; i < count; ++i) RC_ASSERT(distance(got[i], expected[first + i]) <= 1);
    }
  }));
}

TEST(Normals, OfEveryRadiusAreCloseToTheStreams) {
  const std::vector<uint32_t> radii = many_words();
  std::vector<uint32_t> words;
  for (size_t i = 0; i < radii.size(); ++i) {
    words.push_back(radii[i]);
    words.push_back(static_cast<uint32_t>(i) * 2654435761u);  // angles all around
  }
  for (const Isa isa : available_isas()) EXPECT_LE(largest_distance(isa, words), 1);
}

TEST(Normals, OfEveryAngleAreCloseToTheStreams) {
  const std::vector<uint32_t> angles = many_words();
  for (const uint32_t radius : {0u, 0x100u, 0x20000000u, 0x80000000u, 0xfffffe00u, 0xffffffffu}) {
    std::vector<uint32_t> words;
    for (const uint32_t angle : angles) words.insert(words.end(), {radius, angle});
    for (const Isa isa : available_isas()) EXPECT_LE(largest_distance(isa, words), 1);
  }
}

TEST(Normals, OfFarRangesAreThoseOfTheirWords) {
  const Stream stream(11, 12, 13, 1);
  for (const Isa isa : available_isas())
    for (const uint64_t block : {uint64_t{1} << 16, uint64_t{1} << 30, uint64_t{0xfffffffe}}) {
      const auto words = words_of(isa, stream, block, 200);
      std::vector<float> expected(200);
      normals_of_words(isa, words, expected);
      EXPECT_EQ(normals_of(isa, stream, 4 * block, 200), expected);
    }
}

TEST(Normals, DoNotDependOnTheRangeTheyAreAskedIn) {
  const Stream stream(21, 22, 23, 1);
  for (const Isa isa : available_isas()) {
    const std::vector<float> all = normals_of(isa, stream, 0, 1000);
    for (size_t i = 0; i < all.size(); ++i)
      EXPECT_EQ(normals_of(isa, stream, i, 1), std::vector<float>{all[i]});
    EXPECT_TRUE(rc::check([&] {
      const auto first = *rc::gen::inRange<size_t>(0, 700),
                 count = *rc::gen::inRange<size_t>(0, 300);
      RC_ASSERT(normals_of(isa, stream, first, count) ==
                std::vector<float>(all.begin() + static_cast<ptrdiff_t>(first),
                                   all.begin() + static_cast<ptrdiff_t>(first + count)));
    }));
  }
}

TEST(Normals, FillTheRangeAndNothingElse) {
  const Stream stream(31, 32, 33, 1);
  for (const Isa isa : available_isas())
    for (size_t first = 0; first < 4; ++first)
      for (size_t count = 0; count < 200; ++count) {
        std::vector<float> out(count + 128, 99.0f);
        normals_at(isa, stream, first, std::span(out).subspan(64, count));
        for (size_t i = 0; i < out.size(); ++i)
          ASSERT_EQ(out[i] == 99.0f, i < 64 || i >= 64 + count) << first << " " << count;
      }
}

TEST(Normals, HaveTheMomentsOfTheNormalLaw) {
  for (const Isa isa : available_isas()) {
    const std::vector<float> draws = normals_of(isa, Stream(41, 42, 43, 1), 1, 1000000);
    double mean = 0, square = 0, fourth = 0, neighbours = 0, previous = 0;
    for (const double x : draws) {
      mean += x, square += x * x, fourth += x * x * x * x, neighbours += x * previous;
      previous = x;
    }
    const auto n = static_cast<double>(draws.size());
    EXPECT_NEAR(mean / n, 0, 5 / std::sqrt(n));
    EXPECT_NEAR(square / n, 1, 5 * std::sqrt(2 / n));
    EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96 / n));
    EXPECT_NEAR(neighbours / n, 0, 5 / std::sqrt(n));
  }
}

TEST(Normals, PartOfABlockOfWordsIsABug) {
  std::vector<uint32_t> words(6);
  std::vector<float> normals(8);
  EXPECT_THROW(words_at(Isa::kPortable, Stream(1, 2, 3), 0, words), std::logic_error);
  EXPECT_THROW(normals_of_words(Isa::kPortable, words, std::span(normals).first(6)),
               std::logic_error);
  EXPECT_THROW(normals_of_words(Isa::kPortable, words, normals), std::logic_error);
}

}  // namespace
}  // namespace textcrs
