#include "adam.h"

#include <cmath>

namespace textcrs {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

Adam::Adam(const std::map<std::string, at::Tensor>& parameters, double weight_decay)
    : weight_decay_(weight_decay) {
  for (const auto& [name, parameter] : parameters)
    slots_.push_back(
        {name, parameter, at::zeros_like(parameter.detach()), at::zeros_like(parameter.detach())});
}

double Adam::clip_gradients(double largest) {
  std::vector<at::Tensor> norms;
  for (const Slot& slot : slots_) norms.push_back(slot.parameter.grad().norm());
  const double norm = at::stack(norms).norm().item<double>();
  if (largest > 0 && norm > largest)
    for (Slot& slot : slots_) slot.parameter.mutable_grad().mul_(largest / norm);
  return norm;
}

void Adam::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  ++steps_;
  const double correction1 = 1 - std::pow(kBeta1, static_cast<double>(steps_));
  const double correction2 = 1 - std::pow(kBeta2, static_cast<double>(steps_));
  for (Slot& slot : slots_) {
    const at::Tensor gradient = slot.parameter.grad();
    slot.m.mul_(kBeta1).add_(gradient, 1 - kBeta1);
    slot.v.mul_(kBeta2).addcmul_(gradient, gradient, 1 - kBeta2);
    if (slot.parameter.dim() > 1) slot.parameter.mul_(1 - learning_rate * weight_decay_);
    slot.parameter.addcdiv_(slot.m, (slot.v / correction2).sqrt_().add_(kEpsilon),
                            -learning_rate / correction1);
    slot.parameter.mutable_grad().reset();
  }
}

std::map<std::string, at::Tensor> Adam::state() const {
  std::map<std::string, at::Tensor> state;
  for (const Slot& slot : slots_) {
    state["m." + slot.name] = slot.m;
    state["v." + slot.name] = slot.v;
  }
  return state;
}

void Adam::restore(const std::map<std::string, at::Tensor>& state, int64_t steps) {
  for (Slot& slot : slots_) {
    slot.m.copy_(state.at("m." + slot.name));
    slot.v.copy_(state.at("v." + slot.name));
  }
  steps_ = steps;
}

}  // namespace textcrs
