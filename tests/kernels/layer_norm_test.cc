// Layer normalization against a loop in double precision, on every instruction set.
#include "kernels/layer_norm.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<float> normals(int count, uint32_t key, float scale = 1, float middle = 0) {
  std::vector<float> values(static_cast<size_t>(count));
  Stream(23, key, 0).normals(values);
  for (float& x : values) x = middle + scale * x;
  return values;
}

struct Affine {
  explicit Affine(int width) : gain(normals(width, 1)), bias(normals(width, 2)) {}
  std::vector<float> gain, bias;
};

std::vector<double> expected(const std::vector<float>& row, const Affine& affine, double epsilon) {
  const auto width = static_cast<double>(row.size());
  const double mean = std::accumulate(row.begin(), row.end(), 0.0) / width;
  double variance = 0;
  for (const float x : row) variance += (x - mean) * (x - mean) / width;
  std::vector<double> result;
  for (size_t i = 0; i < row.size(); ++i)
    result.push_back((row[i] - mean) / std::sqrt(variance + epsilon) * affine.gain[i] +
                     affine.bias[i]);
  return result;
}

// The rows stand `gap` numbers apart, which are NaN and stay it.
std::vector<std::vector<float>> normalized(Isa isa, const std::vector<std::vector<float>>& rows,
                                           const Affine& affine, float epsilon, int gap = 3,
                                           bool in_place = false) {
  const size_t width = rows[0].size(), stride = width + static_cast<size_t>(gap);
  std::vector<float> input(rows.size() * stride + 64, kNan);
  for (size_t r = 0; r < rows.size(); ++r)
    std::copy(rows[r].begin(), rows[r].end(),
              input.begin() + 32 + static_cast<ptrdiff_t>(r * stride));
  std::vector<float> other(input.size(), kNan);
  std::vector<float>& output = in_place ? input : other;
  layer_norm(isa,
             {static_cast<int>(rows.size()), static_cast<int>(width), input.data() + 32,
              static_cast<ptrdiff_t>(stride), output.data() + 32, static_cast<ptrdiff_t>(stride),
              affine.gain.data(), affine.bias.data(), epsilon});
  std::vector<std::vector<float>> found(rows.size());
  for (size_t r = 0; r < rows.size(); ++r)
    for (size_t i = 0; i < width; ++i) {
      float& x = output[32 + r * stride + i];
      found[r].push_back(x);
      x = kNan;
    }
  for (const float x : output) EXPECT_TRUE(std::isnan(x)) << "written outside of the rows";
  return found;
}

void expect_near(Isa isa, const std::vector<float>& row, float epsilon, double tolerance) {
  const Affine affine(static_cast<int>(row.size()));
  const auto found = normalized(isa, {row}, affine, epsilon)[0];
  const auto wanted = expected(row, affine, epsilon);
  for (size_t i = 0; i < row.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], tolerance * (1 + std::abs(affine.gain[i])))
        << to_string(isa) << " width " << row.size() << " at " << i;
}

std::vector<int> widths() {
  std::vector<int> list(70);
  std::iota(list.begin(), list.end(), 1);
  list.insert(list.end(), {384, 768, 769});
  return list;
}

TEST(LayerNorm, AgreesWithTheDefinition) {
  for (const Isa isa : available_isas())
    for (const int width : widths())
      for (const float scale : {1e-3f, 1.0f, 300.0f})
        expect_near(isa, normals(width, 3, scale, scale / 2), 1e-12f, 4e-6);
}

TEST(LayerNorm, AddsEpsilonToTheVariance) {
  for (const Isa isa : available_isas()) expect_near(isa, normals(384, 4, .5f), 1.0f, 2e-6);
}

// In fp32, 1e4 is known to 1e-3: what is asked here is the answer for the rounded numbers.
TEST(LayerNorm, KeepsItsPrecisionFarFromZero) {
  for (const Isa isa : available_isas())
    for (const int width : {30, 384, 768})
      for (const float middle : {1e4f, -1e4f, 1e6f})
        expect_near(isa, normals(width, 5, 1, middle), 1e-12f, 4e-6);
}

TEST(LayerNorm, ConstantRowsBecomeTheBias) {
  for (const Isa isa : available_isas())
    for (const int width : widths()) {
      const Affine affine(width);
      for (const float x : {0.0f, 1.0f, 0.1f, -1234.567f, 41e6f / 7}) {
        const std::vector<float> row(static_cast<size_t>(width), x);
        const auto found = normalized(isa, {row}, affine, 1e-12f)[0];
        for (size_t i = 0; i < row.size(); ++i)
          ASSERT_NEAR(found[i], affine.bias[i], 1e-4 + 1e-7 * std::abs(x))
              << to_string(isa) << " width " << width << " of " << x;
      }
    }
}

TEST(LayerNorm, ARowDependsOnItselfAlone) {
  for (const Isa isa : available_isas())
    EXPECT_TRUE(rc::check([&] {
      const int width = *rc::gen::inRange(1, 100);
      const Affine affine(width);
      std::vector<std::vector<float>> rows;
      const uint32_t count = *rc::gen::inRange(1u, 6u);
      for (uint32_t r = 0; r < count; ++r) rows.push_back(normals(width, 10 + r));
      const int gap = *rc::gen::inRange(0, 20);
      const bool in_place = *rc::gen::arbitrary<bool>();
      const auto together = normalized(isa, rows, affine, 1e-12f, gap, in_place);
      for (size_t r = 0; r < rows.size(); ++r)
        RC_ASSERT(normalized(isa, {rows[r]}, affine, 1e-12f)[0] == together[r]);
    }));
}

TEST(LayerNorm, RefusesWhatHasNoWidth) {
  EXPECT_THROW(layer_norm(Isa::kPortable, {.rows = 1, .width = 0}), std::logic_error);
  EXPECT_THROW(layer_norm(Isa::kPortable, {.rows = -1, .width = 1}), std::logic_error);
  EXPECT_NO_THROW(layer_norm(Isa::kPortable, {.rows = 0, .width = 1}));
}

}  // namespace
}  // namespace textcrs
