#include "torch/masked_lm_learner.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include "base/in_order.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/parallel.h"
#include "torch/libtorch_threads.h"
#include "torch/masked_parts.h"
#include "torch/optimizer.h"
#include "torch/summed_gradients.h"

namespace textcrs {
namespace {

TensorMap chosen(const MaskedLmNetwork& network, bool freeze_embeddings) {
  TensorMap parameters = network.parameters();
  if (freeze_embeddings)
    std::erase_if(parameters,
                  [](const auto& named) { return named.first.starts_with("embeddings."); });
  return parameters;
}

class MaskedLmLearner final : public MaskedLearner {
 public:
  MaskedLmLearner(MaskedLmNetwork& network, const MaskedLearnerOptions& options)
      : network_(network),
        options_(options),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        optimizer_(network.parameters(), chosen(network, options.freeze_embeddings),
                   options.weight_decay, options.gradient_clip) {
    at::globalContext().setDeterministicCuDNN(true);
  }

  Weights parameters() const override { return optimizer_.parameters(); }
  void assign(const Weights& parameters) override { optimizer_.assign(parameters); }
  Weights moments() const override { return optimizer_.moments(); }
  void restore(const Weights& moments, int64_t steps) override {
    optimizer_.restore(moments, steps);
  }

  double step(const MaskedBatch& batch, int64_t step, double learning_rate) override {
    const LibTorchThreads alone(1);
    const std::vector<MaskedBatch> parts = parts_of(batch);
    const auto places = static_cast<double>(batch.targets.size());
    const double loss = sum_gradients(optimizer_.trained(), parts.size(), threads(), [&](size_t i) {
      std::optional<HiddenDropout> dropout;
      if (options_.dropout > 0)
        dropout.emplace(options_.dropout,
                        fnv1a(fmt::format("pretrain {} {} {}", options_.seed, step, i)),
                        network_.device());
      const at::Tensor scores = network_.scores(parts[i].rows, dropout ? &*dropout : nullptr);
      return at::cross_entropy_loss(scores, targets(parts[i]), {}, at::Reduction::Sum).div(places);
    });
    optimizer_.step(loss, learning_rate);
    return loss;
  }

  GuessCounts guess(const MaskedBatch& batch) const override {
    const std::vector<MaskedBatch> parts = parts_of(batch);
    GuessCounts total;
    for_each_in_order(
        parts.size(), threads(), [&](size_t i) { return guess_alone(parts[i]); },
        [&](const GuessCounts& counts) {
          total.loss += counts.loss;
          total.right += counts.right;
          total.places += counts.places;
        });
    return total;
  }

 private:
  // On the CPU several run at a time.
  std::vector<MaskedBatch> parts_of(const MaskedBatch& batch) const {
    return masked_parts(batch, network_.device().is_cpu() ? kPartsAtOnce : 1);
  }
  int threads() const { return network_.device().is_cpu() ? threads_ : 1; }

  GuessCounts guess_alone(const MaskedBatch& batch) const {
    const LibTorchThreads alone(1);
    const at::NoGradGuard no_grad;
    const at::Tensor scores = network_.scores(batch.rows, nullptr), expected = targets(batch);
    return {at::cross_entropy_loss(scores, expected, {}, at::Reduction::Sum).item<double>(),
            scores.argmax(1).eq(expected).sum().item<int64_t>(),
            static_cast<int64_t>(batch.targets.size())};
  }

  at::Tensor targets(const MaskedBatch& batch) const {
    return at::tensor(batch.targets, at::kLong).to(network_.device());
  }

  MaskedLmNetwork& network_;
  MaskedLearnerOptions options_;
  int threads_;
  Optimizer optimizer_;
};

}  // namespace

std::unique_ptr<MaskedLearner> make_masked_learner(MaskedLmNetwork& network,
                                                   const MaskedLearnerOptions& options) {
  return std::make_unique<MaskedLmLearner>(network, options);
}

}  // namespace textcrs
