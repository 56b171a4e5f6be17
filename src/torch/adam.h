// AdamW over a network's parameters, with its state in the open so that it can be saved.
#pragma once

#include <torch/types.h>

#include <string>
#include <vector>

#include "torch/tensors.h"

namespace textcrs {

class Adam {
 public:
  Adam(const TensorMap& parameters, double weight_decay);

  // The norm of all gradients together; scales them down to `largest` if it is above (0: never).
  double clip_gradients(double largest);
  // One update with the gradients of the parameters, which are cleared.
  void step(double learning_rate);
  void clear_gradients();

  // "m.NAME" and "v.NAME": first and second moments.
  TensorMap state() const;
  void restore(const TensorMap& state, int64_t steps);
  int64_t steps() const { return steps_; }

 private:
  std::vector<at::Tensor> gradients() const;

  // One entry per parameter.
  std::vector<std::string> names_;
  std::vector<at::Tensor> parameters_, m_, v_;
  std::vector<at::Tensor> decayed_;  // those with more than one dimension
  double weight_decay_;
  int64_t steps_ = 0;
};

}  // namespace textcrs
