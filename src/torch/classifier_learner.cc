#include "torch/classifier_learner.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"
#include "torch/libtorch_threads.h"
#include "torch/optimizer.h"
#include "torch/reference_engine.h"
#include "torch/sentence_loss.h"
#include "torch/step_parts.h"

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
    const std::vector<StepPart> parts =
        step_parts(batch, options_.accumulate, network_->config().slots);
    at::Tensor total;
    for (size_t i = 0; i < parts.size(); ++i) {
      const TrainingStep training{options_.seed, static_cast<uint32_t>(step), threads_,
                                  static_cast<uint32_t>(i)};
      const at::Tensor loss =
          loss_of(batch, parts[i], training).div(static_cast<double>(batch.labels.size()));
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
  // Of no copies, too: then all gradients are zero.
  at::Tensor logits_of(const CopyView& copies, const TrainingStep& training) const {
    if (copies.size() > 0) return network_->forward(copies, &training);
    CopyBatch blank;
    blank.copies.resize(1);
    return network_->forward(blank, &training).narrow(0, 0, 0);
  }

  // The sum over the texts of the part.
  at::Tensor loss_of(const LabelledBatch& batch, const StepPart& part,
                     const TrainingStep& training) const {
    const CopyView copies = CopyView(batch.copies).part(part.first_copy, part.copies);
    const std::vector<int64_t> wanted(
        batch.labels.begin() + static_cast<ptrdiff_t>(part.first_text),
        batch.labels.begin() + static_cast<ptrdiff_t>(part.first_text + part.texts));
    const at::Tensor labels = at::tensor(wanted, at::kLong).to(network_->device());
    const at::Tensor logits = logits_of(copies, training);
    if (batch.sentences.empty())
      return at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum);
    return sentence_loss(logits, std::span(batch.sentences).subspan(part.first_text, part.texts),
                         labels, options_.edits, options_.temperature);
  }

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
