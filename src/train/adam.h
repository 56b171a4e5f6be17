// AdamW over a network's parameters, with its state in the open so that it can be saved.
#pragma once

#include <torch/types.h>

#include <map>
#include <string>

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
  struct Slot {
    std::string name;
    at::Tensor parameter, m, v;
  };
  std::vector<Slot> slots_;
  double weight_decay_;
  int64_t steps_ = 0;
};

}  // namespace textcrs
