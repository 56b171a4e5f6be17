#include "torch/packed_maxima.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <torch/csrc/autograd/autograd.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace textcrs {
namespace {

at::Tensor by_libtorch(const at::Tensor& rows, const std::vector<int64_t>& batch_sizes) {
  const at::Tensor padded = std::get<0>(
      at::_pad_packed_sequence(rows, at::tensor(batch_sizes, at::kLong), /*batch_first=*/false,
                               -std::numeric_limits<double>::infinity(), -1));
  return std::get<0>(padded.max(0));
}

at::Tensor gradient(const at::Tensor& maxima, const at::Tensor& weights, const at::Tensor& rows) {
  return torch::autograd::grad({(maxima * weights).sum()}, {rows})[0];
}

RC_GTEST_PROP(PackedMaxima, AreThoseOfPaddedCopiesAndSoAreTheirGradients, ()) {
  auto batch_sizes =
      *rc::gen::nonEmpty(rc::gen::container<std::vector<int64_t>>(rc::gen::inRange<int64_t>(1, 6)));
  std::sort(batch_sizes.rbegin(), batch_sizes.rend());
  int64_t count = 0;
  for (const int64_t size : batch_sizes) count += size;
  const int64_t columns = *rc::gen::inRange<int64_t>(1, 5);
  // Different numbers: which of equal ones gets the gradient is not defined.
  const at::Tensor rows = (at::randperm(count * columns).to(at::kFloat) - 3)
                              .view({count, columns})
                              .set_requires_grad(true);
  const at::Tensor weights = at::randn({batch_sizes[0], columns});

  const at::Tensor found = packed_maxima(rows, batch_sizes);
  const at::Tensor expected = by_libtorch(rows, batch_sizes);
  RC_ASSERT(at::equal(found, expected));
  RC_ASSERT(at::equal(gradient(found, weights, rows), gradient(expected, weights, rows)));
}

TEST(PackedMaxima, OfRowsThatAreNotNumbersAreNone) {
  at::Tensor rows = at::ones({3, 2});  // copies of 2 and 1 words: rows 0 and 2, and row 1
  rows[2][0] = NAN;
  const at::Tensor found = packed_maxima(rows, {2, 1});
  EXPECT_TRUE(std::isnan(found[0][0].item<float>()));
  EXPECT_EQ(found[0][1].item<float>(), 1);
  EXPECT_EQ(found[1][0].item<float>(), 1);
}

}  // namespace
}  // namespace textcrs
