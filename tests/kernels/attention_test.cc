// Attention against its definition in double precision, on every instruction set.
#include "kernels/attention.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "kernels/bf16.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A sequence (length, 3 * heads * head_size).
struct Sequence {
  Sequence(int rows, int head_count, int size, uint32_t key = 0)
      : length(rows), heads(head_count), head_size(size) {
    numbers.resize(static_cast<size_t>(length * 3 * width()));
    Stream(29, key, static_cast<uint32_t>(length)).normals(numbers);
  }
  int width() const { return heads * head_size; }
  // `part` 0 are the queries, 1 the keys, 2 the values.
  float& at(int row, int part, int head, int i) {
    return numbers[static_cast<size_t>((row * 3 + part) * width() + head * head_size + i)];
  }
  float at(int row, int part, int head, int i) const {
    return const_cast<Sequence*>(this)->at(row, part, head, i);
  }
  void scale(int part, float factor) {
    for (int row = 0; row < length; ++row)
      for (int i = 0; i < width(); ++i) at(row, part, 0, i) *= factor;
  }

  int length, heads, head_size;
  std::vector<float> numbers;
};

struct Expected {
  std::vector<double> output, tolerance;  // (length, width)
};

// With bf16 what attention.h says is rounded is rounded. An exponential close to the middle between
// two bf16 may become either: that much is tolerated, beside what fp32 sums may be off.
Expected expected(const Sequence& x, Precision precision) {
  const bool bf16 = precision == Precision::kBf16;
  const auto rounded = [&](double y) -> double {
    return bf16 ? rounded_to_bf16(static_cast<float>(y)) : y;
  };
  const float scale = static_cast<float>(std::numbers::log2e / std::sqrt(x.head_size));
  Expected result;
  result.output.resize(static_cast<size_t>(x.length * x.width()));
  result.tolerance.resize(result.output.size());
  const auto size = static_cast<size_t>(x.head_size), length = static_cast<size_t>(x.length);
  for (int head = 0; head < x.heads; ++head) {
    std::vector<double> q, k, v;
    for (int row = 0; row < x.length; ++row)
      for (int i = 0; i < x.head_size; ++i) {
        q.push_back(
            rounded(bf16 ? x.at(row, 0, head, i) * scale : x.at(row, 0, head, i) * double{scale}));
        k.push_back(rounded(x.at(row, 1, head, i)));
        v.push_back(rounded(x.at(row, 2, head, i)));
      }
    for (size_t row = 0; row < length; ++row) {
      std::vector<double> scores;
      double size_of_terms = 0;
      for (size_t key = 0; key < length; ++key) {
        double score = 0, terms = 0;
        for (size_t i = 0; i < size; ++i) {
          score += q[row * size + i] * k[key * size + i];
          terms += std::abs(q[row * size + i] * k[key * size + i]);
        }
        scores.push_back(score);
        size_of_terms = std::max(size_of_terms, terms);
      }
      const double best = *std::max_element(scores.begin(), scores.end());
      const double off = 4e-7 * (1 + size_of_terms);  // relative, of an exponential
      double total = 0, either = 0;
      std::vector<double> weights, doubts;
      for (const double score : scores) {
        const double weight = std::exp2(score - best);
        weights.push_back(rounded(weight));
        doubts.push_back(rounded(weight * (1 + off)) - rounded(weight * (1 - off)));
        total += weights.back();
        either += doubts.back();
      }
      for (size_t i = 0; i < size; ++i) {
        double sum = 0, largest = 0, doubt = 0;
        for (size_t key = 0; key < length; ++key) {
          sum += weights[key] * v[key * size + i];
          largest = std::max(largest, std::abs(v[key * size + i]));
          doubt += doubts[key] * std::abs(v[key * size + i]);
        }
        const size_t to =
            row * size * static_cast<size_t>(x.heads) + static_cast<size_t>(head) * size + i;
        result.output[to] = sum / total;
        result.tolerance[to] = (doubt + either * std::abs(sum / total)) / total + 3e-6 * largest;
      }
    }
  }
  return result;
}

// The sequence stands `before` numbers and NaN behind the start of the memory, its rows `gap` NaN
// apart, and the scratch memory is full of NaN.
std::vector<float> attended(const Attention& attention, const Sequence& x, int queries,
                            int before = 16, int gap = 0) {
  const ptrdiff_t row = 3 * x.width(), stride = row + gap;
  std::vector<float> memory(static_cast<size_t>(before + x.length * stride + 64), kNan);
  for (ptrdiff_t r = 0; r < x.length; ++r)
    std::copy_n(x.numbers.begin() + r * row, row, memory.begin() + before + r * stride);
  const ptrdiff_t width = x.width(), output_stride = width + gap;
  std::vector<float> output(static_cast<size_t>(queries * output_stride + 64), -7);
  AlignedBytes scratch(size_t{1} << 20);
  std::memset(scratch.data(), 0xff, scratch.size());
  attention.run({x.length, queries, memory.data() + before, stride, output.data(), output_stride},
                scratch);
  std::vector<float> found;
  for (ptrdiff_t r = 0; r < queries; ++r)
    for (ptrdiff_t i = 0; i < width; ++i) {
      float& y = output[static_cast<size_t>(r * output_stride + i)];
      found.push_back(y);
      y = -7;
    }
  EXPECT_EQ(output, std::vector<float>(output.size(), -7)) << "written outside of the rows";
  return found;
}

struct Kind {
  Isa isa;
  Precision precision;
  Attention attention(const Sequence& x) const { return {isa, precision, x.heads, x.head_size}; }
};

std::vector<Kind> kinds() {
  std::vector<Kind> list;
  for (const Isa isa : available_isas()) {
    if (isa < Isa::kAvx512Bf16) list.push_back({isa, Precision::kFp32});
    list.push_back({isa, Precision::kBf16});
  }
  return list;
}

std::ostream& operator<<(std::ostream& out, const Kind& kind) {
  return out << to_string(kind.isa) << " " << to_string(kind.precision);
}

void expect_definition(const Sequence& x) {
  const Expected fp32 = expected(x, Precision::kFp32), bf16 = expected(x, Precision::kBf16);
  for (const Kind& kind : kinds()) {
    const Expected& wanted = kind.precision == Precision::kFp32 ? fp32 : bf16;
    const auto found = attended(kind.attention(x), x, x.length);
    for (size_t i = 0; i < found.size(); ++i)
      ASSERT_NEAR(found[i], wanted.output[i], wanted.tolerance[i])
          << kind << " length " << x.length << " head size " << x.head_size << " at " << i;
  }
}

TEST(Attention, AgreesWithTheDefinition) {
  for (int length = 1; length <= 70; ++length) expect_definition(Sequence(length, 2, 32));
  for (const int length : {255, 256, 257, 512}) expect_definition(Sequence(length, 1, 32));
  expect_definition(Sequence(131, 2, 64));
}

TEST(Attention, KnowsHeadsOfAnyMultipleOfEight) {
  for (int head_size = 8; head_size <= 88; head_size += 8)
    for (const int length : {1, 16, 37}) expect_definition(Sequence(length, 3, head_size));
}

// 2^115 and more is close to the end of fp32, and sums of it are behind.
TEST(Attention, ScoresMayBeLarge) {
  for (const int length : {5, 64, 129}) {
    Sequence x(length, 2, 32);
    x.scale(0, 25);
    expect_definition(x);
    x.scale(0, 10);
    expect_definition(x);
  }
}

// Lanes without a key must not count as scores of 0.
TEST(Attention, AllScoresMayBeFarBelowZero) {
  Sequence x(37, 2, 32);
  for (int row = 0; row < x.length; ++row)
    for (int i = 0; i < x.width(); ++i) {
      x.at(row, 0, 0, i) = 20;
      x.at(row, 1, 0, i) = -10 - x.at(row, 1, 0, i) / 100;
    }
  expect_definition(x);
}

TEST(Attention, EqualScoresGiveTheMean) {
  for (const int length : {1, 7, 64, 240}) {
    Sequence x(length, 2, 32);
    x.scale(1, 0);
    for (const Kind& kind : kinds()) {
      const auto found = attended(kind.attention(x), x, x.length);
      for (int row = 0; row < length; ++row)
        for (int i = 0; i < x.width(); ++i) {
          double mean = 0;
          for (int key = 0; key < length; ++key) {
            const float v = x.at(key, 2, 0, i);
            mean += (kind.precision == Precision::kBf16 ? rounded_to_bf16(v) : v) / double(length);
          }
          ASSERT_NEAR(found[static_cast<size_t>(row * x.width() + i)], mean, 2e-6) << kind;
        }
    }
  }
}

TEST(Attention, OneHugeScoreSelectsOneValue) {
  const int length = 50;
  for (const int chosen : {0, 15, 31, 49}) {
    Sequence x(length, 2, 32);
    for (int row = 0; row < length; ++row)
      for (int i = 0; i < x.width(); ++i) {
        x.at(row, 0, 0, i) = 1;
        x.at(row, 1, 0, i) = row == chosen ? 100 : -100;
      }
    for (const Kind& kind : kinds()) {
      const auto found = attended(kind.attention(x), x, length);
      for (int row = 0; row < length; ++row)
        for (int i = 0; i < x.width(); ++i) {
          const float v = x.at(chosen, 2, 0, i);
          ASSERT_EQ(found[static_cast<size_t>(row * x.width() + i)],
                    kind.precision == Precision::kBf16 ? rounded_to_bf16(v) : v)
              << kind;
        }
    }
  }
}

TEST(Attention, ARowDependsOnItsSequenceAlone) {
  for (const Kind& kind : kinds())
    EXPECT_TRUE(rc::check([&] {
      const int length = *rc::gen::inRange(1, 130);
      const Sequence x(length, 2, *rc::gen::element(24, 32, 64), *rc::gen::inRange(0u, 1000u));
      const Attention attention = kind.attention(x);
      const auto all = attended(attention, x, length);
      RC_ASSERT(std::none_of(all.begin(), all.end(), [](float y) { return std::isnan(y); }));
      for (const int queries : {1, *rc::gen::inRange(1, length + 1)}) {
        const int before = *rc::gen::inRange(0, 40), gap = *rc::gen::inRange(0, 40);
        const auto some = attended(attention, x, queries, before, gap);
        RC_ASSERT(std::memcmp(some.data(), all.data(), some.size() * sizeof(float)) == 0);
      }
    })) << kind;
}

TEST(Attention, RefusesOtherShapes) {
  const Isa isa = Isa::kPortable;
  EXPECT_THROW(Attention(isa, Precision::kFp32, 0, 32), std::logic_error);
  EXPECT_THROW(Attention(isa, Precision::kFp32, 2, 0), std::logic_error);
  EXPECT_THROW(Attention(isa, Precision::kFp32, 2, 12), std::logic_error);
  if (available_isas().back() >= Isa::kAvx512Bf16) {
    EXPECT_THROW(Attention(available_isas().back(), Precision::kFp32, 2, 32), std::logic_error);
  }
  const Attention attention(isa, Precision::kFp32, 2, 8);
  EXPECT_EQ(attention.width(), 16);
  AlignedBytes scratch;
  std::vector<float> x(2 * 48), y(2 * 16);
  EXPECT_NO_THROW(attention.run({2, 2, x.data(), 48, y.data(), 16}, scratch));
  EXPECT_THROW(attention.run({0, 0, x.data(), 48, y.data(), 16}, scratch), std::logic_error);
  EXPECT_THROW(attention.run({2, 0, x.data(), 48, y.data(), 16}, scratch), std::logic_error);
  EXPECT_THROW(attention.run({2, 3, x.data(), 48, y.data(), 16}, scratch), std::logic_error);
  EXPECT_THROW(attention.run({2, 2, x.data(), 47, y.data(), 16}, scratch), std::logic_error);
  EXPECT_THROW(attention.run({2, 2, x.data(), 48, y.data(), 15}, scratch), std::logic_error);
}

}  // namespace
}  // namespace textcrs
