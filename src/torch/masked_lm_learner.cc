#include "torch/masked_lm_learner.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include "textcrs/base/hash.h"
#include "textcrs/base/parallel.h"
#include "torch/libtorch_threads.h"
#include "torch/optimizer.h"

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
    const LibTorchThreads guard(threads_);
    std::optional<HiddenDropout> dropout;
    if (options_.dropout > 0)
      dropout.emplace(options_.dropout, fnv1a(fmt::format("pretrain {} {}", options_.seed, step)),
                      network_.device());
    const at::Tensor scores = network_.scores(batch.rows, dropout ? &*dropout : nullptr);
    const at::Tensor loss = at::cross_entropy_loss(scores, targets(batch));
    loss.backward();
    const double value = loss.item<double>();
    optimizer_.step(value, learning_rate);
    return value;
  }

  GuessCounts guess(const MaskedBatch& batch) const override {
    const LibTorchThreads guard(threads_);
    const at::NoGradGuard no_grad;
    const at::Tensor scores = network_.scores(batch.rows, nullptr), expected = targets(batch);
    return {at::cross_entropy_loss(scores, expected, {}, at::Reduction::Sum).item<double>(),
            scores.argmax(1).eq(expected).sum().item<int64_t>(),
            static_cast<int64_t>(batch.targets.size())};
  }

 private:
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
