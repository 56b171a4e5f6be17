// AdamW against its scalar definition (Loshchilov and Hutter, 2019, Algorithm 2).
#include "torch/adam.h"

#include <gtest/gtest.h>

#include <cmath>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

// One number under AdamW, in double arithmetic.
struct Scalar {
  double value, m = 0, v = 0;
  void step(double gradient, double rate, double decay, int t) {
    m = 0.9 * m + 0.1 * gradient;
    v = 0.999 * v + 0.001 * gradient * gradient;
    value -= rate * decay * value;
    value -= rate * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
  }
};

at::Tensor tensor_of(std::vector<float> values, std::vector<int64_t> shape) {
  return at::tensor(values, at::kFloat).view(shape);
}

// A matrix of 4 numbers, a vector of 2, and their scalar twins.
struct Pair {
  TensorMap parameters = {{"a", tensor_of({0.5f, -1, 2, 0}, {2, 2}).set_requires_grad(true)},
                          {"b", tensor_of({3, -0.25f}, {2}).set_requires_grad(true)}};
  std::vector<Scalar> scalars = {{0.5}, {-1}, {2}, {0}, {3}, {-0.25}};

  void give_gradients(const std::vector<float>& gradients) {
    parameters["a"].mutable_grad() = tensor_of({gradients.begin(), gradients.begin() + 4}, {2, 2});
    parameters["b"].mutable_grad() = tensor_of({gradients.begin() + 4, gradients.end()}, {2});
  }
  std::vector<float> values() const {
    const at::Tensor all =
        at::cat({parameters.at("a").detach().flatten(), parameters.at("b").detach()});
    return {all.data_ptr<float>(), all.data_ptr<float>() + 6};
  }
};

std::vector<float> gradients_of(uint32_t step, float scale) {
  std::vector<float> gradients(6);
  Stream(1, step, 0).normals(gradients);
  for (float& x : gradients) x *= scale;
  return gradients;
}

struct Case {
  double decay, clip;
};
class AdamOf : public testing::TestWithParam<Case> {};

TEST_P(AdamOf, IsTheScalarDefinitionForEveryNumber) {
  const auto [decay, clip] = GetParam();
  Pair pair;
  Adam adam(pair.parameters, decay);
  for (int t = 1; t <= 25; ++t) {
    const double rate = 0.01 * t;
    // Every third gradient is far above the clipping norm, the others below it.
    const auto gradients = gradients_of(static_cast<uint32_t>(t), t % 3 == 0 ? 20.0f : 0.01f);
    double norm = 0;
    for (float x : gradients) norm += static_cast<double>(x) * x;
    norm = std::sqrt(norm);
    const double scale = clip > 0 && norm > clip ? clip / norm : 1;
    for (size_t i = 0; i < 6; ++i)  // a, a matrix, decays and b does not
      pair.scalars[i].step(scale * gradients[i], rate, i < 4 ? decay : 0, t);
    pair.give_gradients(gradients);
    EXPECT_NEAR(adam.clip_gradients(clip), norm, 1e-5 * norm);
    adam.step(rate);
    const auto found = pair.values();
    for (size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(found[i], pair.scalars[i].value, 2e-6 * (1 + std::abs(pair.scalars[i].value)) * t)
          << "step " << t << ", number " << i;
    EXPECT_EQ(adam.steps(), t);
    EXPECT_FALSE(pair.parameters["a"].grad().defined());
  }
}

INSTANTIATE_TEST_SUITE_P(Options, AdamOf,
                         testing::Values(Case{0, 0}, Case{0, 1}, Case{0.1, 0}, Case{0.1, 1}));

TEST(Adam, ClippingScalesAllGradientsTogether) {
  Pair pair;
  Adam adam(pair.parameters, 0);
  pair.give_gradients({3, 0, 0, 0, 0, 4});
  EXPECT_DOUBLE_EQ(adam.clip_gradients(10), 5);
  EXPECT_TRUE(pair.parameters["b"].grad().equal(tensor_of({0, 4}, {2})));
  adam.clip_gradients(0);
  EXPECT_TRUE(pair.parameters["b"].grad().equal(tensor_of({0, 4}, {2})));
  adam.clip_gradients(1);
  EXPECT_NEAR(pair.parameters["a"].grad()[0][0].item<double>(), 0.6, 1e-6);
  EXPECT_NEAR(pair.parameters["b"].grad()[1].item<double>(), 0.8, 1e-6);
}

TEST(Adam, WeightDecayIsForMatricesAlone) {
  Pair pair;
  Adam adam(pair.parameters, 0.1);
  pair.give_gradients(std::vector<float>(6, 0));
  adam.step(0.5);
  const std::vector<float> expected = {0.475f, -0.95f, 1.9f, 0, 3, -0.25f};
  for (size_t i = 0; i < 6; ++i) EXPECT_FLOAT_EQ(pair.values()[i], expected[i]);
}

// What is kept of a network by the version of its parameters must not outlive a step.
TEST(Adam, AStepIsSeenByTheVersionOfEveryParameter) {
  Pair pair;
  Adam adam(pair.parameters, 0);
  for (int step = 0; step < 2; ++step) {
    const auto before = std::pair(pair.parameters["a"]._version(), pair.parameters["b"]._version());
    pair.give_gradients(gradients_of(0, 1));
    adam.step(0.1);
    EXPECT_GT(pair.parameters["a"]._version(), before.first);
    EXPECT_GT(pair.parameters["b"]._version(), before.second);
  }
}

TEST(Adam, RestoredGoesOnBitForBit) {
  Pair whole, half;
  Adam all(whole.parameters, 0.1), first(half.parameters, 0.1);
  const auto run = [](Pair& pair, Adam& adam, uint32_t from, uint32_t to) {
    for (uint32_t t = from; t < to; ++t) {
      pair.give_gradients(gradients_of(t, 1));
      adam.step(0.01);
    }
  };
  run(whole, all, 0, 10);
  run(half, first, 0, 4);
  Adam second(half.parameters, 0.1);
  second.restore(first.state(), first.steps());
  run(half, second, 4, 10);
  EXPECT_EQ(half.values(), whole.values());
}

}  // namespace
}  // namespace textcrs
