// What the learners have in common: parameters that AdamW changes.
#pragma once

#include <optional>

#include "torch/adam.h"
#include "torch/tensors.h"

namespace textcrs {

// The tensors are shared with a network; those in `all` that are not `trained` no longer ask for
// gradients.
class Optimizer {
 public:
  Optimizer(const TensorMap& all, TensorMap trained, double weight_decay, double gradient_clip);

  const TensorMap& trained() const { return trained_; }
  Weights parameters() const { return to_plain(trained_); }
  void assign(const Weights& parameters);
  Weights moments() const { return to_plain(adam_.state()); }
  void restore(const Weights& moments, int64_t steps);

  // One update with the gradients the parameters have, if the loss that gave them is finite; they
  // are cleared.
  void step(double loss, double learning_rate);

 private:
  TensorMap trained_;
  double gradient_clip_;
  Adam adam_;
};

}  // namespace textcrs
