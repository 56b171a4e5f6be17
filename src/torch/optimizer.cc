#include "torch/optimizer.h"

#include <cmath>
#include <stdexcept>

namespace textcrs {

Optimizer::Optimizer(const TensorMap& all, TensorMap trained, double weight_decay,
                     double gradient_clip)
    : trained_(std::move(trained)), gradient_clip_(gradient_clip), adam_(trained_, weight_decay) {
  for (auto [name, parameter] : all) parameter.set_requires_grad(trained_.contains(name));
}

void Optimizer::assign(const Weights& parameters) {
  const at::NoGradGuard no_grad;
  for (auto& [name, parameter] : trained_) {
    const FloatTensor& values = parameters.at(name);
    if (parameter.sizes() != at::IntArrayRef(values.shape))
      throw std::logic_error("Learner::assign: the shape of " + name + " differs");
    parameter.copy_(as_tensor(values));
  }
}

void Optimizer::restore(const Weights& moments, int64_t steps) {
  TensorMap state;
  for (const auto& [name, parameter] : trained_)
    for (const char* kind : {"m.", "v."}) state[kind + name] = as_tensor(moments.at(kind + name));
  adam_.restore(state, steps);
}

void Optimizer::step(double loss, double learning_rate) {
  if (!std::isfinite(loss)) return adam_.clear_gradients();
  adam_.clip_gradients(gradient_clip_);
  adam_.step(learning_rate);
}

}  // namespace textcrs
