// Differentiable bounds against those of the model at rest.
#include "torch/interval_bounds.h"

#include <gtest/gtest.h>

#include "engine/interval_model.h"
#include "model/interval_models.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

class TorchBounds : public testing::TestWithParam<const char*> {
 protected:
  TorchBounds()
      : classifier_(interval_classifier(GetParam(), 0.7, 3)),
        network_(make_network(*classifier_, at::kCPU)) {
    batch_.copies = interval_texts(21);
    batch_.copies.push_back(std::vector<WordId>(15, kFirstWord + 8));  // more than the slots
  }
  FeatureBounds bounds(double scale) const {
    const at::NoGradGuard no_grad;
    return feature_bounds(*network_, classifier_->synonyms(), batch_, scale);
  }

  std::unique_ptr<Classifier> classifier_;
  std::unique_ptr<Network> network_;
  CopyBatch batch_;
};

TEST_P(TorchBounds, OfWholeBoxesAreThoseOfTheModelAtRest) {
  const IntervalModel model(*classifier_);
  const FeatureBounds found = bounds(1);
  for (size_t b = 0; b < batch_.copies.size(); ++b) {
    const Box box = model.feature_bounds(batch_.copies[b]);
    for (size_t f = 0; f < box.low.size(); ++f) {
      const auto row = static_cast<int64_t>(b), column = static_cast<int64_t>(f);
      EXPECT_NEAR(found.low[row][column].item<double>(), box.low[f], 1e-4) << b << " " << f;
      EXPECT_NEAR(found.high[row][column].item<double>(), box.high[f], 1e-4) << b << " " << f;
    }
  }
}

TEST_P(TorchBounds, TheModelAtRestAnswersAsTheNetworkDoes) {
  const IntervalModel model(*classifier_);
  const at::NoGradGuard no_grad;
  const at::Tensor logits = network_->forward(batch_, nullptr);
  for (size_t b = 0; b < batch_.copies.size(); ++b) {
    const std::vector<double> scores = model.scores(batch_.copies[b]);
    for (size_t c = 0; c < scores.size(); ++c)
      EXPECT_NEAR(logits[static_cast<int64_t>(b)][static_cast<int64_t>(c)].item<double>(),
                  scores[c], 1e-5);
  }
}

TEST_P(TorchBounds, OfNoBoxesAreThePoint) {
  const at::NoGradGuard no_grad;
  const FeatureBounds found = bounds(0);
  EXPECT_TRUE(at::allclose(found.low, found.high, 1e-5, 1e-6));
  const at::Tensor logits = network_->forward(batch_, nullptr);
  const at::Tensor labels = at::zeros({logits.size(0)}, at::kLong);
  const at::Tensor worst = worst_logits(*network_, found, labels, nullptr);
  EXPECT_TRUE(at::allclose(worst, logits - logits.select(1, 0).unsqueeze(1), 1e-4, 1e-5));
}

TEST_P(TorchBounds, OfSmallerBoxesLieInside) {
  const FeatureBounds some = bounds(0.3), all = bounds(1);
  EXPECT_TRUE((some.low >= all.low - 1e-6).all().item<bool>());
  EXPECT_TRUE((some.high <= all.high + 1e-6).all().item<bool>());
  EXPECT_FALSE(at::allclose(some.low, all.low));
  EXPECT_FALSE(at::allclose(some.high, all.high));
}

TEST_P(TorchBounds, WorstLogitsAreTheLeastLeads) {
  const IntervalModel model(*classifier_);
  const at::NoGradGuard no_grad;
  const at::Tensor labels = at::ones({static_cast<int64_t>(batch_.copies.size())}, at::kLong);
  const at::Tensor worst = worst_logits(*network_, bounds(1), labels, nullptr);
  for (size_t b = 0; b < batch_.copies.size(); ++b) {
    const std::vector<double> leads = model.least_leads(batch_.copies[b], 1);
    for (size_t c = 0; c < leads.size(); ++c)
      EXPECT_NEAR(worst[static_cast<int64_t>(b)][static_cast<int64_t>(c)].item<double>(), -leads[c],
                  1e-4);
  }
}

// Along its gradient every parameter changes the bounds as differences do.
TEST_P(TorchBounds, GradientsAreThoseOfDifferences) {
  const auto loss = [&] {
    const FeatureBounds found = feature_bounds(*network_, classifier_->synonyms(), batch_, 0.8);
    return (found.high.square().sum() + found.low.sum() * 0.5);
  };
  loss().backward();
  for (const auto& [name, parameter] : network_->parameters()) {
    if (name.starts_with("head")) continue;
    const at::Tensor gradient = parameter.grad().clone();
    const double size = gradient.norm().item<double>();
    ASSERT_GT(size, 0) << name;
    const at::NoGradGuard no_grad;
    const at::Tensor before = parameter.clone();
    const double step = 1e-3;
    network_->assign(name, before + gradient * (step / size));
    const double up = loss().item<double>();
    network_->assign(name, before - gradient * (step / size));
    const double down = loss().item<double>();
    network_->assign(name, before);
    EXPECT_NEAR((up - down) / (2 * step), size, 0.03 * size + 0.02) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, TorchBounds, testing::Values("cnn", "bilstm"));

}  // namespace
}  // namespace textcrs
