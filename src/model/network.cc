#include "network.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "tensor_bytes.h"
#include "textcrs/base/error.h"

namespace textcrs {

at::Tensor FreshInitializer::make(const std::string& name, at::IntArrayRef shape,
                                  double bound) const {
  at::Tensor values = at::empty(shape, at::kFloat);
  uint32_t key = 2166136261u;  // FNV-1a
  for (unsigned char c : name) key = (key ^ c) * 16777619u;
  Stream stream(seed_, key, 0, /*lane=*/101);
  for (int64_t i = 0; i < values.numel(); ++i)
    values.data_ptr<float>()[i] = static_cast<float>((2 * stream.uniform() - 1) * bound);
  return values;
}

at::Tensor FileInitializer::make(const std::string& name, at::IntArrayRef shape, double) const {
  return from_view(file_.get(name, "F32", shape.vec()));
}

void Network::add_parameter(const std::string& name, at::IntArrayRef shape, double bound,
                            const Initializer& initial) {
  add_parameter(name, initial.make(name, shape, bound));
}

void Network::add_parameter(const std::string& name, at::Tensor values) {
  parameters_[name] = values.set_requires_grad(true);
}

void Network::add_frozen(const std::string& name, at::Tensor values) {
  frozen_[name] = std::move(values);
}

std::vector<float> Network::word_vectors(WordId first, WordId last) const {
  const at::Tensor rows = vectors_.narrow(0, first, last - first).to(at::kCPU).contiguous();
  return {rows.data_ptr<float>(), rows.data_ptr<float>() + rows.numel()};
}

void Network::assign(const std::string& name, const at::Tensor& values) {
  const at::NoGradGuard no_grad;
  at::Tensor& parameter = parameters_.at(name);
  if (parameter.sizes() != values.sizes())
    throw std::logic_error("Network::assign: the shape of " + name + " differs");
  parameter.copy_(values);
}

void Network::move_to(const at::Device& device) {
  vectors_ = vectors_.to(device);
  for (auto& [name, tensor] : frozen_) tensor = tensor.to(device);
  for (auto& [name, parameter] : parameters_)
    parameter = parameter.detach().to(device).set_requires_grad(true);
}

void Network::add_head(int64_t features, const Initializer& initial) {
  const auto classes = static_cast<int64_t>(config_.classes.size());
  add_parameter("head.weight", {classes, features}, 1 / std::sqrt(features), initial);
  add_parameter("head.bias", {classes}, 0, initial);
}

at::Tensor Network::head(const at::Tensor& features, const TrainingStep* training) const {
  at::Tensor input = features;
  if (training != nullptr && config_.dropout > 0)
    input =
        input * training->mask(input.size(0), input.size(1), config_.dropout, 1).to(input.device());
  return at::linear(input, parameter("head.weight"), parameter("head.bias"));
}

std::unique_ptr<Network> make_network(const ModelConfig& config, at::Tensor vectors,
                                      const Initializer& initial) {
  if (config.architecture == "bilstm") return make_bilstm(config, std::move(vectors), initial);
  if (config.architecture == "cnn") return make_cnn(config, std::move(vectors), initial);
  throw usage_error(
      fmt::format("model '{}' is unknown, expected bilstm, cnn or bert (which begins "
                  "with a pretrained one)",
                  config.architecture));
}

at::Device parse_device(const std::string& name) {
  if (name == "cpu") return at::kCPU;
  if (name != "cuda") throw usage_error(fmt::format("device is '{}', expected cpu or cuda", name));
  if (!at::hasCUDA()) throw usage_error("device is cuda, but no usable GPU was found; use cpu");
  return at::kCUDA;
}

}  // namespace textcrs
