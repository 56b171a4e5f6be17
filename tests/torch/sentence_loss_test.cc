// The certified loss of sentences against the definition, written out.
#include "torch/sentence_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "textcrs/base/stream.h"
#include "torch/finite_differences.h"

namespace textcrs {
namespace {

constexpr size_t kClasses = 3;

struct Case {
  std::vector<double> logits;  // (sentences, classes)
  std::vector<size_t> sentences;
  std::vector<int64_t> labels;
  int edits = 1;
  double temperature = 1;
};

// Texts of 0 to 6 sentences.
Case random_case(uint32_t seed) {
  Stream stream(seed, 0, 0);
  Case c;
  size_t all = 0;
  for (uint32_t text = 0; text < 5; ++text) {
    c.sentences.push_back(stream.below(7));
    c.labels.push_back(stream.below(kClasses));
    all += c.sentences.back();
  }
  std::vector<float> normals(all * kClasses);
  stream.normals(normals);
  c.logits.assign(normals.begin(), normals.end());
  c.edits = static_cast<int>(stream.below(5));
  c.temperature = 0.2 + 0.1 * stream.below(20);
  return c;
}

double plain_loss(const Case& c) {
  double loss = 0;
  size_t row = 0;
  for (size_t text = 0; text < c.sentences.size(); ++text) {
    const auto label = static_cast<size_t>(c.labels[text]);
    std::vector<std::vector<double>> votes;
    for (size_t s = 0; s < c.sentences[text]; ++s, ++row) {
      std::vector<double> vote;
      double sum = 0;
      for (size_t k = 0; k < kClasses; ++k) {
        vote.push_back(std::exp(c.logits[row * kClasses + k]));
        sum += vote.back();
      }
      for (double& v : vote) v /= sum;
      votes.push_back(vote);
    }
    double sum = 1;
    for (size_t other = 0; other < kClasses; ++other) {
      if (other == label) continue;
      std::vector<double> leads;
      double margin = -c.edits;
      for (const auto& vote : votes) leads.push_back(vote[label] - vote[other]);
      for (const double lead : leads) margin += lead;
      std::sort(leads.begin(), leads.end(), std::greater<>());
      for (size_t i = 0; i < std::min(leads.size(), static_cast<size_t>(c.edits)); ++i)
        margin -= std::max(0.0, leads[i]);
      sum += std::exp(-margin / c.temperature);
    }
    loss += c.temperature * std::log(sum);
  }
  return loss;
}

at::Tensor logits_of(const Case& c) {
  return at::tensor(c.logits, at::kDouble)
      .view({static_cast<int64_t>(c.logits.size() / kClasses), static_cast<int64_t>(kClasses)});
}

at::Tensor loss_of(const Case& c, const at::Tensor& logits) {
  return sentence_loss(logits, c.sentences, at::tensor(c.labels, at::kLong), c.edits,
                       c.temperature);
}

TEST(SentenceLoss, IsTheDefinition) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const Case c = random_case(seed);
    EXPECT_NEAR(loss_of(c, logits_of(c)).item<double>(), plain_loss(c), 1e-9) << seed;
  }
}

TEST(SentenceLoss, ItsGradientIsThatOfFiniteDifferences) {
  for (uint32_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(seed);
    const Case c = random_case(seed);
    expect_gradient_of_differences(c, logits_of(c), loss_of, plain_loss);
  }
}

TEST(SentenceLoss, OfTextsWithoutSentencesIsThatOfATie) {
  Case c;
  c.sentences = {0, 0};
  c.labels = {0, 2};
  EXPECT_NEAR(loss_of(c, at::zeros({0, kClasses})).item<double>(),
              2 * std::log(1 + 2 * std::exp(1)), 1e-9);
}

TEST(SentenceLoss, IsNothingForATextThatIsCertifiedWithEase) {
  Case c;
  c.temperature = 0.1;
  c.sentences = {9};
  c.labels = {1};
  for (size_t s = 0; s < 9; ++s) c.logits.insert(c.logits.end(), {0, 9, 0});
  EXPECT_LT(loss_of(c, logits_of(c)).item<double>(), 1e-6);
  c.edits = 5;
  EXPECT_GT(loss_of(c, logits_of(c)).item<double>(), 0.5);
}

}  // namespace
}  // namespace textcrs
