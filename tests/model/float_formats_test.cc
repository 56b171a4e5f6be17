// F16 and BF16 by their definitions. Every pattern is compared with LibTorch's in tests/torch.
#include "model/float_formats.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <numeric>

namespace textcrs {
namespace {

template <typename Stored>
TensorView view_of(const char* dtype, const std::vector<Stored>& values) {
  return {dtype, {static_cast<int64_t>(values.size())}, std::as_bytes(std::span(values))};
}

std::vector<uint16_t> all_patterns() {
  std::vector<uint16_t> patterns(65536);
  std::iota(patterns.begin(), patterns.end(), uint16_t{0});
  return patterns;
}

// (-1)^sign 2^(exponent - bias) 1.fraction, and without the 1 for exponent 0.
void expect_all_by_definition(const char* dtype, int fraction_bits, int bias) {
  const std::vector<uint16_t> patterns = all_patterns();
  const std::vector<float> values = floats_of(view_of(dtype, patterns));
  ASSERT_EQ(values.size(), patterns.size());
  const int largest = (1 << (15 - fraction_bits)) - 1;
  for (const uint16_t bits : patterns) {
    const int exponent = bits >> fraction_bits & largest;
    const int fraction = bits & ((1 << fraction_bits) - 1);
    const float value = values[bits];
    EXPECT_EQ(std::signbit(value), (bits & 0x8000) != 0) << bits;
    if (exponent == largest) {
      EXPECT_TRUE(fraction == 0 ? std::isinf(value) : std::isnan(value)) << bits;
      continue;
    }
    const double significand = (exponent > 0 ? 1 << fraction_bits : 0) + fraction;
    EXPECT_EQ(std::abs(static_cast<double>(value)),
              std::ldexp(significand, std::max(exponent, 1) - bias - fraction_bits))
        << bits;
  }
}

TEST(FloatFormats, HalvesAreThoseOfTheStandard) { expect_all_by_definition("F16", 10, 15); }

TEST(FloatFormats, Bfloat16IsTheUpperHalfOfAFloat) { expect_all_by_definition("BF16", 7, 127); }

TEST(FloatFormats, FloatsStayAsTheyAre) {
  const std::vector<float> values = {1, -2.5f, 1e-42f, 3e38f};
  EXPECT_EQ(floats_of(view_of("F32", values)), values);
  EXPECT_TRUE(floats_of(view_of("F32", std::vector<float>{})).empty());
}

TEST(FloatFormats, DataNeedsNoAlignment) {
  const std::vector<uint16_t> ones(5, 0x3c00);
  std::vector<std::byte> shifted(11);
  std::memcpy(shifted.data() + 1, ones.data(), 10);
  EXPECT_EQ(floats_of({"F16", {5}, std::span<const std::byte>(shifted).subspan(1)}),
            std::vector<float>(5, 1.0f));
}

TEST(FloatFormats, KnowsNoOthers) {
  for (const char* dtype : {"F32", "F16", "BF16"}) EXPECT_TRUE(knows_float_format(dtype)) << dtype;
  for (const char* dtype : {"F64", "I64", "I32", "U8", "BOOL", "f32", ""}) {
    EXPECT_FALSE(knows_float_format(dtype)) << dtype;
    EXPECT_THROW(floats_of(view_of(dtype, std::vector<double>(2))), std::logic_error) << dtype;
  }
}

}  // namespace
}  // namespace textcrs
