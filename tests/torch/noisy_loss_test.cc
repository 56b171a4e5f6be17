// The loss of noisy copies against its definition, number by number.
#include "torch/noisy_loss.h"

#include <gtest/gtest.h>

#include <cmath>

#include "textcrs/base/stream.h"
#include "torch/finite_differences.h"

namespace textcrs {
namespace {

constexpr size_t kClasses = 3;
using Row = std::vector<double>;

struct Case {
  size_t copies = 1;
  std::vector<int64_t> labels;
  Row logits;   // (texts, copies, classes)
  Row teacher;  // (texts, classes); empty: none
  NoisyLoss weights;
};

Case random_case(uint32_t seed) {
  Stream stream(11, seed, 0);
  const auto score = [&] { return 6 * stream.uniform() - 3; };
  Case c;
  c.copies = 1 + stream.below(4);
  const size_t texts = 1 + stream.below(4);
  for (size_t i = 0; i < texts; ++i) c.labels.push_back(stream.below(kClasses));
  for (size_t i = 0; i < texts * c.copies * kClasses; ++i) c.logits.push_back(score());
  if (seed % 2 == 0)
    for (size_t i = 0; i < texts * kClasses; ++i) c.teacher.push_back(score());
  c.weights.consistency = seed % 3 == 0 ? 0 : 10 * stream.uniform();
  c.weights.consistency_entropy = seed % 5 == 0 ? 0 : stream.uniform();
  c.weights.teacher_share = stream.uniform();
  c.weights.teacher_temperature = 0.5 + 3 * stream.uniform();
  return c;
}

Row softmax(const double* scores, double temperature = 1) {
  Row p;
  double sum = 0;
  for (size_t i = 0; i < kClasses; ++i) p.push_back(std::exp(scores[i] / temperature));
  for (const double x : p) sum += x;
  for (double& x : p) x /= sum;
  return p;
}

double divergence(const Row& p, const Row& q) {
  double sum = 0;
  for (size_t i = 0; i < kClasses; ++i) sum += p[i] * std::log(p[i] / q[i]);
  return sum;
}

double plain_loss(const Case& c) {
  double loss = 0;
  for (size_t text = 0; text < c.labels.size(); ++text) {
    const auto copies = static_cast<double>(c.copies);
    const double* const scores = c.logits.data() + text * c.copies * kClasses;
    Row mean(kClasses);
    double wrong = 0, apart = 0, untaught = 0, entropy = 0;
    for (size_t k = 0; k < c.copies; ++k) {
      const Row p = softmax(scores + k * kClasses);
      wrong -= std::log(p[static_cast<size_t>(c.labels[text])]) / copies;
      for (size_t i = 0; i < kClasses; ++i) mean[i] += p[i] / copies;
      if (c.teacher.empty()) continue;
      const double heat = c.weights.teacher_temperature;
      untaught += heat * heat / copies *
                  divergence(softmax(c.teacher.data() + text * kClasses, heat),
                             softmax(scores + k * kClasses, heat));
    }
    for (size_t k = 0; k < c.copies; ++k)
      apart += divergence(mean, softmax(scores + k * kClasses)) / copies;
    for (const double q : mean) entropy -= q * std::log(q);
    const double share = c.teacher.empty() ? 0 : c.weights.teacher_share;
    loss += (1 - share) * wrong + share * untaught;
    if (c.copies > 1)
      loss += c.weights.consistency * apart + c.weights.consistency_entropy * entropy;
  }
  return loss;
}

at::Tensor matrix(const Row& values) {
  return at::tensor(values, at::kDouble).view({-1, static_cast<int64_t>(kClasses)});
}

at::Tensor loss_of(const Case& c, const at::Tensor& logits) {
  return noisy_loss(logits, at::tensor(c.labels, at::kLong), static_cast<int64_t>(c.copies),
                    c.teacher.empty() ? at::Tensor() : matrix(c.teacher), c.weights);
}

TEST(NoisyLoss, IsTheDefinition) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Case c = random_case(seed);
    EXPECT_NEAR(loss_of(c, matrix(c.logits)).item<double>(), plain_loss(c), 1e-9) << seed;
  }
}

// Two copies that give the label 3/4 and 1/4, so that their mean is even.
TEST(NoisyLoss, ByHand) {
  const double ln2 = std::log(2), ln3 = std::log(3);
  const at::Tensor logits = at::tensor({ln3, 0.0, 0.0, ln3}, at::kDouble).view({2, 2});
  const at::Tensor label = at::zeros({1}, at::kLong);
  const double wrong = 2 * ln2 - ln3 / 2;  // the mean of -ln(3/4) and -ln(1/4)
  const double apart = ln2 - ln3 / 2;      // -ln 2 less the mean of ln(3/4) and ln(1/4)
  const auto loss = [&](const at::Tensor& teacher, const NoisyLoss& weights) {
    return noisy_loss(logits, label, 2, teacher, weights).item<double>();
  };
  EXPECT_NEAR(loss({}, {}), wrong, 1e-12);
  EXPECT_NEAR(loss({}, {.consistency = 4}), wrong + 4 * apart, 1e-12);
  EXPECT_NEAR(loss({}, {.consistency = 4, .consistency_entropy = 0.5}),
              wrong + 4 * apart + 0.5 * ln2, 1e-12);
  // A teacher without an opinion is as far from each copy as their mean is.
  const at::Tensor undecided = at::full({1, 2}, 7.0, at::kDouble);
  EXPECT_NEAR(loss(undecided, {.teacher_share = 0.25, .teacher_temperature = 1}),
              0.75 * wrong + 0.25 * apart, 1e-12);
  // At temperature 2 the copies are sure as sqrt(3) to 1.
  const double softer = -ln2 - (ln3 / 2 - 2 * std::log(1 + std::sqrt(3))) / 2;
  EXPECT_NEAR(loss(undecided, {.teacher_share = 0.25, .teacher_temperature = 2}),
              0.75 * wrong + 0.25 * 4 * softer, 1e-12);
}

TEST(NoisyLoss, ItsGradientIsThatOfFiniteDifferences) {
  for (uint32_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed);
    expect_gradient_of_differences(c, matrix(c.logits), loss_of, plain_loss);
  }
}

TEST(NoisyLoss, OfOneCopyWithoutATeacherIsTheCrossEntropyBitByBit) {
  const at::Tensor labels = at::tensor({0, 2, 1, 1}, at::kLong);
  const at::Tensor logits = (at::arange(12, at::kFloat).sin() * 5).view({4, 3});
  const at::Tensor expected = at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum);
  const at::Tensor found =
      noisy_loss(logits, labels, 1, {}, {.consistency = 3, .consistency_entropy = 1});
  EXPECT_EQ(found.scalar_type(), at::kFloat);
  EXPECT_EQ(found.item<float>(), expected.item<float>());
}

TEST(NoisyLoss, OfCopiesThatAgreeIsThatOfOneOfThem) {
  const at::Tensor labels = at::tensor({0, 2}, at::kLong);
  const at::Tensor one = (at::arange(6, at::kDouble).sin() * 5).view({2, 3});
  EXPECT_NEAR(
      noisy_loss(one.repeat_interleave(4, 0), labels, 4, {}, {.consistency = 100}).item<double>(),
      noisy_loss(one, labels, 1, {}, {}).item<double>(), 1e-12);
}

// Scores that a float would turn into zeros and infinities.
TEST(NoisyLoss, IsFiniteForScoresFarApart) {
  const at::Tensor labels = at::zeros({1}, at::kLong);
  const at::Tensor logits =
      at::tensor({500.0F, -500.0F, -500.0F, 500.0F}).view({2, 2}).set_requires_grad(true);
  const at::Tensor teacher = at::tensor({900.0F, -900.0F}).view({1, 2});
  const at::Tensor loss =
      noisy_loss(logits, labels, 2, teacher, {.consistency = 1, .consistency_entropy = 1});
  loss.backward();
  EXPECT_TRUE(std::isfinite(loss.item<double>()));
  EXPECT_TRUE(logits.grad().isfinite().all().item<bool>());
}

}  // namespace
}  // namespace textcrs
