// All 65,536 numbers of 16 bits against LibTorch's own conversion.
#include "model/float_formats.h"

#include <gtest/gtest.h>
#include <torch/types.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

namespace textcrs {
namespace {

void expect_as_libtorch(const char* dtype, at::ScalarType type) {
  std::vector<uint16_t> patterns(65536);
  std::iota(patterns.begin(), patterns.end(), uint16_t{0});
  const std::vector<float> found = floats_of({dtype, {65536}, std::as_bytes(std::span(patterns))});
  at::Tensor stored = at::empty({65536}, type);
  std::memcpy(stored.data_ptr(), patterns.data(), 2 * patterns.size());
  const at::Tensor floats = stored.to(at::kFloat);
  ASSERT_EQ(found.size(), patterns.size());
  int nans = 0;
  for (size_t i = 0; i < patterns.size(); ++i) {
    const float expected = floats.data_ptr<float>()[i];
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(found[i])) << i;
      ++nans;
    } else {
      EXPECT_EQ(std::bit_cast<uint32_t>(found[i]), std::bit_cast<uint32_t>(expected)) << i;
    }
  }
  EXPECT_EQ(nans, type == at::kHalf ? 2 * 1023 : 2 * 127);
}

TEST(FloatFormats, HalvesAreThoseOfLibTorch) { expect_as_libtorch("F16", at::kHalf); }

TEST(FloatFormats, Bfloat16IsThatOfLibTorch) { expect_as_libtorch("BF16", at::kBFloat16); }

}  // namespace
}  // namespace textcrs
