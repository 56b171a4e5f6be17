#include "torch/adam.h"

#include <cmath>

namespace textcrs {

constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-8;

Adam::Adam(const TensorMap& parameters, double weight_decay) : weight_decay_(weight_decay) {
  for (const auto& [name, parameter] : parameters) {
    names_.push_back(name);
    parameters_.push_back(parameter);
    m_.push_back(at::zeros_like(parameter.detach()));
    v_.push_back(at::zeros_like(parameter.detach()));
    if (parameter.dim() > 1) decayed_.push_back(parameter);
  }
}

std::vector<at::Tensor> Adam::gradients() const {
  std::vector<at::Tensor> list;
  for (const at::Tensor& parameter : parameters_) list.push_back(parameter.grad());
  return list;
}

double Adam::clip_gradients(double largest) {
  std::vector<at::Tensor> all = gradients();
  const double norm = at::stack(at::_foreach_norm(all, 2)).norm().item<double>();
  if (largest > 0 && norm > largest) at::_foreach_mul_(all, largest / norm);
  return norm;
}

// The operations on lists do for all tensors at once what a GPU would be slow to be asked for one
// by one.
void Adam::step(double learning_rate) {
  const at::NoGradGuard no_grad;
  ++steps_;
  const double correction1 = 1 - std::pow(kBeta1, static_cast<double>(steps_));
  const double correction2 = 1 - std::pow(kBeta2, static_cast<double>(steps_));
  const std::vector<at::Tensor> all = gradients();
  at::_foreach_mul_(m_, kBeta1);
  at::_foreach_add_(m_, all, 1 - kBeta1);
  at::_foreach_mul_(v_, kBeta2);
  at::_foreach_addcmul_(v_, all, all, 1 - kBeta2);
  if (weight_decay_ > 0) at::_foreach_mul_(decayed_, 1 - learning_rate * weight_decay_);
  std::vector<at::Tensor> spread = at::_foreach_div(v_, correction2);
  at::_foreach_sqrt_(spread);
  at::_foreach_add_(spread, kEpsilon);
  at::_foreach_addcdiv_(parameters_, m_, spread, -learning_rate / correction1);
  clear_gradients();
}

void Adam::clear_gradients() {
  for (at::Tensor& parameter : parameters_) parameter.mutable_grad().reset();
}

TensorMap Adam::state() const {
  TensorMap state;
  for (size_t i = 0; i < names_.size(); ++i) {
    state["m." + names_[i]] = m_[i];
    state["v." + names_[i]] = v_[i];
  }
  return state;
}

void Adam::restore(const TensorMap& state, int64_t steps) {
  for (size_t i = 0; i < names_.size(); ++i) {
    m_[i].copy_(state.at("m." + names_[i]));
    v_[i].copy_(state.at("v." + names_[i]));
  }
  steps_ = steps;
}

}  // namespace textcrs
