#include "torch/classifier_learner.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"
#include "torch/interval_bounds.h"
#include "torch/libtorch_threads.h"
#include "torch/noisy_loss.h"
#include "torch/optimizer.h"
#include "torch/reference_engine.h"
#include "torch/sentence_loss.h"
#include "torch/step_parts.h"
#include "torch/summed_gradients.h"
#include "torch/word_encoder.h"

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

// With an encoder, its parameters in the place of the word vectors, which are what it makes of
// them.
TensorMap trained_parameters(const Network& network, int frozen_layers,
                             const WordEncoder* encoder) {
  TensorMap chosen = without_frozen_layers(network, frozen_layers);
  if (encoder == nullptr) return chosen;
  chosen.erase(network.config().kind().embedding);
  chosen.insert(encoder->parameters().begin(), encoder->parameters().end());
  return chosen;
}

std::unique_ptr<WordEncoder> make_encoder(const Classifier& classifier,
                                          const LearnerOptions& options) {
  if (options.encoder_weight == 0) return nullptr;
  if (!classifier.config().trained_vectors)
    throw std::logic_error("LearnerOptions: an encoder needs a model with vectors of its own");
  return std::make_unique<WordEncoder>(classifier, options.encoder_hidden, options.seed,
                                       parse_device(options.device));
}

class NetworkLearner final : public ClassifierLearner {
 public:
  NetworkLearner(const Classifier& classifier, const LearnerOptions& options)
      : options_(options),
        classifier_(classifier),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        network_(make_network(classifier, parse_device(options.device))),
        encoder_(make_encoder(classifier, options)),
        optimizer_(network_->parameters(),
                   trained_parameters(*network_, options.freeze_layers, encoder_.get()),
                   options.weight_decay, options.gradient_clip) {
    at::globalContext().setDeterministicCuDNN(true);
  }

  Weights parameters() const override { return optimizer_.parameters(); }
  void assign(const Weights& parameters) override { optimizer_.assign(parameters); }
  Weights moments() const override { return optimizer_.moments(); }
  void restore(const Weights& moments, int64_t steps) override {
    optimizer_.restore(moments, steps);
  }

  Weights trained() const override {
    if (!encoder_) return parameters();
    const at::NoGradGuard no_grad;
    Weights weights = to_plain(network_->parameters());
    weights.at(network_->config().kind().embedding) = to_plain(encoder_->table());
    return weights;
  }

  double step(const LabelledBatch& batch, int64_t step, double learning_rate) override {
    const LibTorchThreads alone(1);
    const bool at_once = network_->device().is_cpu() && !network_->uses_threads();
    const std::vector<StepPart> parts = step_parts(
        batch, at_once ? std::max(options_.accumulate, kPartsAtOnce) : options_.accumulate,
        network_->config().slots);
    // The encoder runs once: the parts see what it makes as a parameter.
    TensorMap parameters = optimizer_.trained();
    at::Tensor encoded, table;
    if (encoder_) {
      encoded = encoder_->table();
      table = encoded.detach().set_requires_grad(true);
      network_->use_vectors(table);
      parameters["what the encoder makes"] = table;
    }
    const double loss =
        sum_gradients(parameters, parts.size(), at_once ? threads_ : 1, [&](size_t i) {
          at::Tensor error;
          const TrainingStep training{options_.seed, static_cast<uint32_t>(step),
                                      at_once ? 1 : threads_, static_cast<uint32_t>(i), &error};
          at::Tensor of_part = loss_of(batch, parts[i], training);
          if (error.defined()) of_part = of_part + error.mul(weight_of_error(parts[i]));
          return of_part.div(static_cast<double>(batch.labels.size()));
        });
    if (encoder_) encoded.backward(table.grad());
    optimizer_.step(loss, learning_rate);
    return loss;
  }

  std::unique_ptr<Engine> engine(const EngineOptions& options) const override {
    const at::NoGradGuard no_grad;
    if (encoder_) network_->use_vectors(encoder_->table());
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

  // Of a part's copies, for a sum over its texts.
  double weight_of_error(const StepPart& part) const {
    return options_.reconstruction_weight * static_cast<double>(part.texts) /
           static_cast<double>(part.copies);
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
    if (batch.sentences.empty()) {
      const at::Tensor loss =
          noisy_loss(logits, labels, static_cast<int64_t>(batch.copies_per_text),
                     teacher_of(batch, part), options_.noisy_loss);
      if (encoder_)
        return loss + options_.encoder_weight * encoder_->widths(copies, network_->config().slots) *
                          static_cast<double>(part.texts) / static_cast<double>(part.copies);
      return network_->config().intervals ? with_intervals(loss, copies, labels, training) : loss;
    }
    return sentence_loss(logits, std::span(batch.sentences).subspan(part.first_text, part.texts),
                         labels, options_.edits, options_.temperature);
  }

  // Its scores for the texts of the part; undefined without a teacher.
  at::Tensor teacher_of(const LabelledBatch& batch, const StepPart& part) const {
    if (batch.teacher.empty()) return {};
    const auto classes = static_cast<int64_t>(network_->config().classes.size());
    return at::tensor(batch.teacher, at::kFloat)
        .view({-1, classes})
        .narrow(0, static_cast<int64_t>(part.first_text), static_cast<int64_t>(part.texts))
        .to(network_->device());
  }

  // A mixture with the loss of the worst case, whose share and boxes grow with the steps.
  at::Tensor with_intervals(const at::Tensor& loss, const CopyView& copies,
                            const at::Tensor& labels, const TrainingStep& training) const {
    const double grown =
        std::min(1.0, (training.step + 1.0) /
                          static_cast<double>(std::max<int64_t>(options_.interval_ramp, 1)));
    const double share = grown * options_.interval_weight;
    const FeatureBounds bounds = feature_bounds(*network_, classifier_.synonyms(), copies, grown);
    const at::Tensor worst = worst_logits(*network_, bounds, labels, &training);
    return (1 - share) * loss +
           share * at::cross_entropy_loss(worst, labels, {}, at::Reduction::Sum);
  }

  LearnerOptions options_;
  const Classifier& classifier_;
  int threads_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<WordEncoder> encoder_;  // null: there is none
  Optimizer optimizer_;
};

}  // namespace

std::unique_ptr<ClassifierLearner> make_classifier_learner(const Classifier& classifier,
                                                           const LearnerOptions& options) {
  return std::make_unique<NetworkLearner>(classifier, options);
}

}  // namespace textcrs
