#include "torch/summed_gradients.h"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>
#include <thread>

namespace textcrs {
namespace {

constexpr int kThreads[] = {1, 2, 3, 4, 8};

TensorMap two_parameters() {
  return {{"a", at::tensor({1.0f, 2.0f}).set_requires_grad(true)},
          {"b", at::tensor({3.0f, 4.0f}).set_requires_grad(true)}};
}

TEST(SumGradients, TermsAreAddedInTheirOrder) {
  // In floats (1e8 + 1) - 1e8 is 0, and (1e8 - 1e8) + 1 is 1.
  const std::vector<float> factors = {1e8f, 1, -1e8f, 1, 3, 1e8f, 7, -1e8f};
  float expected = 0;
  for (const float factor : factors) expected += factor;
  for (const int threads : kThreads) {
    const TensorMap parameters = two_parameters();
    const at::Tensor& a = parameters.at("a");
    const double sum = sum_gradients(parameters, factors.size(), threads, [&](size_t i) {
      // The last ones are done first.
      std::this_thread::sleep_for(std::chrono::milliseconds(2 * (factors.size() - i)));
      return a[0] * factors[i];
    });
    EXPECT_EQ(sum, expected) << threads;
    EXPECT_EQ(a.grad()[0].item<float>(), expected) << threads;
  }
}

TEST(SumGradients, AreThoseOfTheSumEvenWhereMemoryIsShared) {
  for (const int threads : kThreads) {
    const TensorMap parameters = two_parameters();
    const at::Tensor &a = parameters.at("a"), &b = parameters.at("b");
    // The gradients by a and b are the same tensor, and one number shown twice.
    EXPECT_EQ(sum_gradients(parameters, 5, threads, [&](size_t) { return (a + b).sum(); }), 50);
    EXPECT_TRUE(a.grad().equal(at::tensor({5.0f, 5.0f})));
    EXPECT_TRUE(b.grad().equal(at::tensor({5.0f, 5.0f})));
    a.grad().mul_(2);  // as clipping does
    EXPECT_TRUE(b.grad().equal(at::tensor({5.0f, 5.0f})));
  }
}

TEST(SumGradients, ATermNeedNotDependOnAllParameters) {
  const TensorMap parameters = two_parameters();
  const at::Tensor &a = parameters.at("a"), &b = parameters.at("b");
  EXPECT_EQ(
      sum_gradients(parameters, 4, 3, [&](size_t i) { return (i == 2 ? a * b : a * a).sum(); }),
      3 * (1 + 4) + 3 + 8);
  EXPECT_TRUE(a.grad().equal(at::tensor({3.0f * 2 * 1 + 3, 3.0f * 2 * 2 + 4})));
  EXPECT_TRUE(b.grad().equal(at::tensor({1.0f, 2.0f})));
}

TEST(SumGradients, WhatIsThrownArrives) {
  for (const int threads : kThreads) {
    const TensorMap parameters = two_parameters();
    EXPECT_THROW(sum_gradients(parameters, 6, threads,
                               [&](size_t i) -> at::Tensor {
                                 if (i == 4) throw std::runtime_error("no");
                                 return parameters.at("a").sum() + parameters.at("b").sum();
                               }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace textcrs
