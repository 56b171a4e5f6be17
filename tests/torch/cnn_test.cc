// The convolutional network against plain loops.
#include <gtest/gtest.h>

#include <cmath>

#include "model/small_model.h"
#include "torch/network.h"

namespace textcrs {
namespace {

constexpr int64_t kFilters = 4, kWords = 23, kColumns = 5, kClasses = 3;

// A classifier and its graph.
struct SmallCnn {
  std::unique_ptr<Classifier> classifier;
  std::unique_ptr<Network> network;

  SmallCnn() {
    ModelConfig config = small_config("cnn");
    config.hidden = kFilters;
    config.dimension = kColumns;
    FloatTensor vectors{{kWords, kColumns}, std::vector<float>(kWords * kColumns)};
    // PAD's is zero.
    Stream(8, 0, 0).normals(std::span(vectors.values).subspan(kColumns));
    Weights weights = {{"embedding.weight", vectors}};
    for (const TensorSpec& spec : config.kind().tensors(config))
      weights[spec.name] = fresh_tensor(spec, 3);
    classifier = std::make_unique<Classifier>(config, Vocabulary(small_words()), SynonymTable(),
                                              std::move(weights));
    network = make_network(*classifier, at::kCPU);
  }
  const Network& operator*() const { return *network; }
  const Network* operator->() const { return network.get(); }
};

at::Tensor logits_of(const Network& net, const CopyBatch& batch) {
  const at::NoGradGuard no_grad;
  return net.forward(batch, nullptr);
}

// One copy's logits by the definition: every whole window of the copy's words (its Gaussian
// added), PAD where the copy is shorter than the window; the maximum of each filter; the head.
std::vector<double> logits_by_loops(const Network& net, std::vector<WordId> copy, int slots,
                                    double sigma, Stream gaussian) {
  if (copy.empty()) copy = {kPad};
  if (static_cast<int>(copy.size()) > slots) copy.resize(static_cast<size_t>(slots));
  std::vector<float> noise(copy.size() * kColumns);
  gaussian.normals(noise);
  std::vector<std::vector<double>> rows;
  for (size_t t = 0; t < copy.size(); ++t) {
    rows.emplace_back();
    for (int64_t d = 0; d < kColumns; ++d)
      rows[t].push_back(net.vectors()[copy[t]][d].item<double>() +
                        sigma * noise[t * kColumns + static_cast<size_t>(d)]);
  }
  std::vector<double> features;
  for (const int width : {3, 4, 5}) {
    const std::string name = "conv" + std::to_string(width);
    const auto weight = net.parameters().at(name + ".weight").accessor<float, 3>();
    const auto bias = net.parameters().at(name + ".bias").accessor<float, 1>();
    const int starts = std::max(1, static_cast<int>(rows.size()) - width + 1);
    for (int64_t filter = 0; filter < kFilters; ++filter) {
      double best = 0;  // relu
      for (int start = 0; start < starts; ++start) {
        double sum = bias[filter];
        for (int t = start; t < std::min<int>(start + width, static_cast<int>(rows.size())); ++t)
          for (int64_t d = 0; d < kColumns; ++d)
            sum +=
                weight[filter][d][t - start] * rows[static_cast<size_t>(t)][static_cast<size_t>(d)];
        best = std::max(best, sum);
      }
      features.push_back(best);
    }
  }
  const auto weight = net.parameters().at("head.weight").accessor<float, 2>();
  const auto bias = net.parameters().at("head.bias").accessor<float, 1>();
  std::vector<double> logits;
  for (int64_t c = 0; c < kClasses; ++c) {
    logits.push_back(bias[c]);
    for (size_t f = 0; f < features.size(); ++f)
      logits.back() += weight[c][static_cast<int64_t>(f)] * features[f];
  }
  return logits;
}

TEST(Cnn, IsTheMaximumOverWindows) {
  const SmallCnn net;
  for (const double sigma : {0.0, 0.7}) {
    CopyBatch batch = random_copies(60, 18, 6);
    batch.copies[0] = {};
    batch.sigma = sigma;
    for (uint32_t i = 0; i < 60; ++i) batch.gaussians.emplace_back(2, i, 0, 1);
    const at::Tensor found = logits_of(*net, batch);
    ASSERT_EQ(found.sizes(), (std::vector<int64_t>{60, kClasses}));
    for (size_t i = 0; i < 60; ++i) {
      const auto expected =
          logits_by_loops(*net, batch.copies[i], net->config().slots, sigma, batch.gaussians[i]);
      for (size_t c = 0; c < 3; ++c)
        EXPECT_NEAR(found[static_cast<int64_t>(i)][static_cast<int64_t>(c)].item<double>(),
                    expected[c], 1e-5)
            << i;
    }
  }
}

TEST(Cnn, ACopysLogitsDoNotDependOnLongerNeighbours) {
  const SmallCnn net;
  const CopyBatch batch = random_copies(40, 12, 7);
  const at::Tensor together = logits_of(*net, batch);
  for (int64_t i = 0; i < 40; ++i) {
    const at::Tensor alone = logits_of(*net, CopyBatch{{batch.copies[static_cast<size_t>(i)]}});
    EXPECT_LT((together[i] - alone[0]).abs().max().item<float>(), 1e-6f) << i;
  }
}

// The same network with every copy padded to the longest, by LibTorch's own convolution.
at::Tensor padded_logits(const Network& net, const CopyBatch& batch) {
  const auto copies = static_cast<int64_t>(batch.copies.size());
  int64_t longest = 5;
  for (const auto& copy : batch.copies)
    longest = std::max(longest, static_cast<int64_t>(copy.size()));
  at::Tensor ids = at::zeros({copies, longest}, at::kLong);
  for (int64_t b = 0; b < copies; ++b)
    for (size_t t = 0; t < batch.copies[static_cast<size_t>(b)].size(); ++t)
      ids[b][static_cast<int64_t>(t)] = batch.copies[static_cast<size_t>(b)][t];
  const at::Tensor words = net.vectors().index({ids}).transpose(1, 2);
  std::vector<at::Tensor> features;
  for (const int width : {3, 4, 5}) {
    const std::string name = "conv" + std::to_string(width);
    const at::Tensor response = at::relu(at::conv1d(words, net.parameters().at(name + ".weight"),
                                                    net.parameters().at(name + ".bias")));
    at::Tensor outside = at::zeros({copies, 1, response.size(2)}, at::kBool);
    for (int64_t b = 0; b < copies; ++b) {
      const auto length = static_cast<int64_t>(batch.copies[static_cast<size_t>(b)].size());
      for (int64_t s = std::max<int64_t>(1, length - width + 1); s < response.size(2); ++s)
        outside[b][0][s] = true;
    }
    features.push_back(std::get<0>(response.masked_fill(outside, 0).max(2)));
  }
  return at::linear(at::cat(features, 1), net.parameters().at("head.weight"),
                    net.parameters().at("head.bias"));
}

TEST(Cnn, LogitsAndGradientsAreThoseOfThePaddedConvolution) {
  CopyBatch batch = random_copies(50, 10, 9);
  batch.copies[7] = {};
  batch.copies[8] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const SmallCnn one, other;
  const at::Tensor logits = one->forward(batch, nullptr), expected = padded_logits(*other, batch);
  EXPECT_LT((logits - expected).abs().max().item<float>(), 1e-5f);
  logits.square().sum().backward();
  expected.square().sum().backward();
  for (const auto& [name, parameter] : one->parameters()) {
    const at::Tensor wanted = other->parameters().at(name).grad();
    EXPECT_LT((parameter.grad() - wanted).abs().max().item<float>(),
              1e-4f * (1 + wanted.abs().max().item<float>()))
        << name;
  }
}

TEST(Cnn, DropoutActsInTrainingOnlyAndFollowsTheStep) {
  const SmallCnn net;
  const CopyBatch batch = random_copies(40, 12, 7);
  const at::NoGradGuard no_grad;
  const TrainingStep first{1, 0, 1}, second{1, 1, 1};
  const at::Tensor trained = net->forward(batch, &first);
  EXPECT_TRUE(trained.equal(net->forward(batch, &first)));
  EXPECT_FALSE(trained.equal(net->forward(batch, &second)));
  EXPECT_FALSE(trained.equal(net->forward(batch, nullptr)));
}

}  // namespace
}  // namespace textcrs
