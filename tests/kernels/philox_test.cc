#include "kernels/philox.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

// In units of the error that is promised; a NaN is far away.
double distance(float got, float expected) {
  const double off = std::abs(static_cast<double>(got) - static_cast<double>(expected)) /
                     (2e-6 * std::max(1.0, std::abs(static_cast<double>(expected))));
  return std::isnan(off) ? 1e9 : off;
}

// Random123's known answers.
TEST(Philox, KnownAnswers) {
  const auto answer = [](PhiloxBlock counter, uint64_t key) {
    const PhiloxBlock block = philox(counter, key);
    return std::vector<uint32_t>{block.x, block.y, block.z, block.w};
  };
  EXPECT_EQ(answer({0, 0, 0, 0}, 0),
            (std::vector<uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(answer({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (std::vector<uint32_t>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, NumbersAreThoseOfTheStream) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint32_t example, uint32_t sample, uint32_t lane) {
    Stream expected(seed, example, sample, lane);
    PhiloxStream stream(seed, example, sample, lane);
    for (const int kind : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 3))) {
      if (kind == 0) RC_ASSERT(stream() == expected());
      if (kind == 1) RC_ASSERT(stream.uniform() == expected.uniform());
      if (kind == 2) {
        const auto n = std::max(*rc::gen::arbitrary<uint32_t>(), 1u);
        RC_ASSERT(stream.below(n) == expected.below(n));
      }
    }
    RC_ASSERT(stream.lane(lane + 1)() == expected.lane(lane + 1)());
  }));
}

TEST(Philox, RejectedDraws) {
  for (const uint32_t n : {1u, 2u, 3u, 1000u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xaaaaaaabu,
                           0xc0000001u, 0xfffffffeu, 0xffffffffu}) {
    SCOPED_TRACE(n);
    Stream expected(0x123456789abcdef0, 3, 0xffffffff, 2);
    PhiloxStream stream(0x123456789abcdef0, 3, 0xffffffff, 2);
    for (int i = 0; i < 5000; ++i) ASSERT_EQ(stream.below(n), expected.below(n));
    for (int i = 0; i < 5; ++i) ASSERT_EQ(stream(), expected());  // as many draws were taken
  }
}

TEST(Philox, NormalsAreThoseOfTheStream) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint32_t example, uint32_t sample, uint32_t lane) {
    Stream expected(seed, example, sample, lane);
    PhiloxStream stream(seed, example, sample, lane);
    for (int used = *rc::gen::inRange(0, 9); used > 0; --used) expected(), stream();
    std::vector<float> normals(1000);
    expected.normals(normals);
    for (size_t i = 0; i < normals.size(); ++i)
      RC_ASSERT(distance(normal_at(stream, i), normals[i]) <= 1);
    for (size_t i = 0; i < normals.size() / 4; ++i) {
      const FourNormals four = four_normals(stream, i);
      RC_ASSERT(distance(four.x, normals[4 * i]) <= 1);
      RC_ASSERT(distance(four.y, normals[4 * i + 1]) <= 1);
      RC_ASSERT(distance(four.z, normals[4 * i + 2]) <= 1);
      RC_ASSERT(distance(four.w, normals[4 * i + 3]) <= 1);
    }
  }));
}

TEST(Philox, BlocksOfNormalsWrap) {
  const PhiloxStream stream(1, 2, 3, 4);
  EXPECT_EQ(normal_at(stream, (uint64_t{1} << 34) + 5), normal_at(stream, 5));
}

// The words that no stream here has: the longest and the shortest radius, and angles next to the
// axes. In double, with the angle rounded as Stream::normals() rounds it.
TEST(Philox, NormalsOfExtremeWords) {
  std::vector<uint32_t> words;
  for (uint32_t edge = 0; edge < 64; ++edge)
    for (uint32_t step = 0; step < 8; ++step) {
      words.push_back((edge << 26) + (step << 8));
      words.push_back((edge << 26) - (step << 8) - 1);
    }
  double largest = 0;
  for (const uint32_t first : words)
    for (const uint32_t second : words) {
      const double u = ((first >> 8) + 1) * 0x1p-24;
      const double angle =
          2 * std::numbers::pi_v<float> * (static_cast<float>(second >> 8) * 0x1p-24f);
      const double radius = std::sqrt(-2 * std::log(u));
      float x, y;
      normal_pair(first, second, x, y);
      largest = std::max({largest, distance(x, static_cast<float>(radius * std::cos(angle))),
                          distance(y, static_cast<float>(radius * std::sin(angle)))});
    }
  EXPECT_LE(largest, 1);
}

}  // namespace
}  // namespace textcrs
