// BERT in training: gradients, and the dropout of hidden states.
#include <gtest/gtest.h>

#include <cmath>

#include "bert_twins.h"

namespace textcrs {
namespace {

at::Tensor loss_of(const Bert& bert, const CopyBatch& batch, const TrainingStep* training) {
  std::vector<int64_t> labels;
  for (size_t b = 0; b < batch.copies.size(); ++b) labels.push_back(b % 2 == 0 ? 1 : 0);
  return at::cross_entropy_loss(bert.forward(batch, training), at::tensor(labels, at::kLong));
}

TEST(BertTraining, GradientsAreTheSlopesOfTheLoss) {
  for (const bool by_slots : {false, true}) {
    const Twins twins({}, by_slots);
    const CopyBatch batch = noisy_batch(by_slots ? 0.3 : 0);
    const TrainingStep training{3, 7, 1};  // with dropout, the same masks in every call
    loss_of(*twins.bert, batch, &training).backward();
    const auto loss = [&] {
      const at::NoGradGuard no_grad;
      return loss_of(*twins.bert, batch, &training).item<double>();
    };
    for (const auto& [name, parameter] : twins.bert->parameters()) {
      ASSERT_TRUE(parameter.grad().defined()) << name;
      const double slope = parameter.grad().norm().item<double>();
      if (name.ends_with("key.bias")) {  // adds the same to all scores of a query
        EXPECT_LT(slope, 1e-5) << name;
        continue;
      }
      EXPECT_GT(slope, 1e-4) << name;
      const at::Tensor kept = parameter.detach().clone();
      const double step = 0.01;
      const at::Tensor direction = parameter.grad() / slope;
      twins.bert->assign(name, kept + step * direction);
      const double above = loss();
      twins.bert->assign(name, kept - step * direction);
      const double below = loss();
      twins.bert->assign(name, kept);
      EXPECT_NEAR((above - below) / (2 * step), slope, 0.03 * slope + 1e-4) << name;
    }
    for (const auto& [name, tensor] : twins.bert->frozen())
      EXPECT_FALSE(tensor.requires_grad()) << name;
    EXPECT_FALSE(twins.bert->vectors().requires_grad());
  }
}

TEST(BertTraining, AStepDownhillLowersTheLoss) {
  const Twins twins;
  const CopyBatch batch{random_texts(20, 12, 6)};
  double before = INFINITY;
  for (int step = 0; step < 10; ++step) {
    const at::Tensor loss = loss_of(*twins.bert, batch, nullptr);
    EXPECT_LT(loss.item<double>(), before) << step;
    before = loss.item<double>();
    loss.backward();
    const at::NoGradGuard no_grad;
    for (auto [name, parameter] : twins.bert->parameters()) {
      parameter.add_(parameter.grad(), -0.01);
      parameter.mutable_grad().reset();
    }
  }
}

TEST(BertTraining, WhatIsFrozenGetsNoGradient) {
  const Twins twins;
  for (auto [name, parameter] : twins.bert->parameters())
    if (name.starts_with("encoder.layer.0.")) parameter.set_requires_grad(false);
  loss_of(*twins.bert, CopyBatch{random_texts(5, 12, 6)}, nullptr).backward();
  for (const auto& [name, parameter] : twins.bert->parameters())
    EXPECT_EQ(parameter.grad().defined(), !name.starts_with("encoder.layer.0.")) << name;
}

TEST(BertTraining, DropoutIsKeyedBySeedStepAndPart) {
  const Twins twins;
  twins.bert->assign("head.weight", at::eye(2, 16));  // the logits are two of the pooled features
  twins.bert->assign("head.bias", at::zeros({2}));
  const CopyBatch batch{random_texts(40, 12, 7)};
  const auto with = [&](const TrainingStep& training) {
    const at::NoGradGuard no_grad;
    return twins.bert->forward(batch, &training);
  };
  // The masks of the hidden states, whatever those of the features do.
  const auto differ = [](const at::Tensor& a, const at::Tensor& b) {
    return a.ne(b).logical_and(a.ne(0)).logical_and(b.ne(0)).sum().item<int64_t>() > 20;
  };
  const at::Tensor found = with({3, 7, 1});
  EXPECT_TRUE(with({3, 7, 2}).equal(found));  // the threads do not matter
  EXPECT_TRUE(differ(with({4, 7, 1}), found));
  EXPECT_TRUE(differ(with({3, 8, 1}), found));
  EXPECT_TRUE(differ(with({3, 7, 1, 1}), found));
  EXPECT_NEAR(found.eq(0).to(at::kDouble).mean().item<double>(), 0.1, 0.15);
  EXPECT_FALSE(twins.logits(batch).eq(0).any().item<bool>());
}

}  // namespace
}  // namespace textcrs
