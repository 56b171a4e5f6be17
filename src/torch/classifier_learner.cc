#include "torch/classifier_learner.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"
#include "torch/libtorch_threads.h"
#include "torch/optimizer.h"
#include "torch/reference_engine.h"

namespace textcrs {
namespace {

TensorMap without_frozen_layers(const Network& network, int layers) {
  const int there = network.config().bert.layers;
  if (layers > there)
    throw usage_error(fmt::format("{} layers are to be frozen, the {} has {}", layers,
                                  network.config().architecture, there));
  TensorMap chosen = network.parameters();
  for (int layer = 0; layer < layers; ++layer)
    std::erase_if(chosen, [&](const auto& named) {
      return named.first.starts_with(fmt::format("encoder.layer.{}.", layer));
    });
  return chosen;
}

class NetworkLearner final : public ClassifierLearner {
 public:
  NetworkLearner(const Classifier& classifier, const LearnerOptions& options)
      : options_(options),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        network_(make_network(classifier, parse_device(options.device))),
        optimizer_(network_->parameters(), without_frozen_layers(*network_, options.freeze_layers),
                   options.weight_decay, options.gradient_clip) {
    at::globalContext().setDeterministicCuDNN(true);
  }

  Weights parameters() const override { return optimizer_.parameters(); }
  void assign(const Weights& parameters) override { optimizer_.assign(parameters); }
  Weights moments() const override { return optimizer_.moments(); }
  void restore(const Weights& moments, int64_t steps) override {
    optimizer_.restore(moments, steps);
  }

  double step(const LabelledBatch& batch, int64_t step, double learning_rate) override {
    const LibTorchThreads guard(network_->libtorch_threads(threads_));
    const size_t texts = batch.labels.size();
    const auto parts = std::min(texts, static_cast<size_t>(options_.accumulate));
    at::Tensor total;
    for (size_t part = 0; part < parts; ++part) {
      const size_t begin = texts * part / parts, end = texts * (part + 1) / parts;
      const TrainingStep training{options_.seed, static_cast<uint32_t>(step), threads_,
                                  static_cast<uint32_t>(part)};
      const at::Tensor logits =
          network_->forward(CopyView(batch.copies).part(begin, end - begin), &training);
      const at::Tensor labels =
          at::tensor(std::vector<int64_t>(batch.labels.begin() + static_cast<ptrdiff_t>(begin),
                                          batch.labels.begin() + static_cast<ptrdiff_t>(end)),
                     at::kLong)
              .to(logits.device());
      const at::Tensor loss = at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum)
                                  .div(static_cast<double>(texts));
      loss.backward();
      total = total.defined() ? total + loss.detach() : loss.detach();
    }
    const double loss = total.item<double>();
    optimizer_.step(loss, learning_rate);
    return loss;
  }

  std::unique_ptr<Engine> engine(const EngineOptions& options) const override {
    return make_network_engine(*network_, options);
  }

 private:
  LearnerOptions options_;
  int threads_;
  std::unique_ptr<Network> network_;
  Optimizer optimizer_;
};

}  // namespace

std::unique_ptr<ClassifierLearner> make_classifier_learner(const Classifier& classifier,
                                                           const LearnerOptions& options) {
  return std::make_unique<NetworkLearner>(classifier, options);
}

}  // namespace textcrs
