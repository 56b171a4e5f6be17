// AdamW over a network's parameters, with its state in the open so that it can be saved.
#pragma once

#include <torch/types.h>

#include <map>
#include <string>
#include <vector>

namespace textcrs {

class Adam {
 public:
  Adam(const std::map<std::string, at::Tensor>& parameters, double weight_decay);

  // The norm of all gradients together; scales them down to `largest` if it is above (0: never).
  double clip_gradients(double largest);
  // One update with the gradients of the parameters, which are cleared.
  void step(double learning_rate);

  // "m.NAME" and "v.NAME": first and second moments.
  std::map<std::string, at::Tensor> state() const;
  void restore(const std::map<std::string, at::Tensor>& state, int64_t steps);
  int64_t steps() const { return steps_; }

 private:
  std::vector<at::Tensor> gradients() const;

  // One entry a parameter each.
  std::vector<std::string> names_;
  std::vector<at::Tensor> parameters_, m_, v_;
  std::vector<at::Tensor> decayed_;  // those with more than one dimension
  double weight_decay_;
  int64_t steps_ = 0;
};

}  // namespace textcrs
