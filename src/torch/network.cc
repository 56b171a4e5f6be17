#include "torch/network.h"

#include <stdexcept>

#include "model/slot_map.h"

namespace textcrs {
namespace {

// What builds the graph of an architecture (textcrs/model/architecture.h).
struct Row {
  const char* architecture;
  std::unique_ptr<Network> (*make)(const Classifier&, const at::Device&);
};
constexpr Row kNetworks[] = {
    {"bilstm", make_bilstm}, {"cnn", make_cnn},      {"bert", make_bert},
    {"votes", make_votes},   {"linear", make_votes},
};

}  // namespace

Network::Network(const Classifier& classifier, const at::Device& device)
    : config_(classifier.config()),
      vectors_(as_tensor(classifier.weights().at(config_.kind().embedding)).to(device)) {
  if (config_.trained_vectors) {
    vectors_ = vectors_.clone().set_requires_grad(true);
    parameters_[config_.kind().embedding] = vectors_;
  }
  for (const TensorSpec& spec : config_.kind().tensors(config_)) {
    const FloatTensor& values = classifier.weights().at(spec.name);
    if (spec.is_trained)
      parameters_[spec.name] = to_tensor(values).to(device).set_requires_grad(true);
    else
      frozen_[spec.name] = as_tensor(values).to(device);
  }
}

void Network::assign(const std::string& name, const at::Tensor& values) {
  const at::NoGradGuard no_grad;
  at::Tensor& parameter = parameters_.at(name);
  if (parameter.sizes() != values.sizes())
    throw std::logic_error("Network::assign: the shape of " + name + " differs");
  parameter.copy_(values);
}

SlotMap Network::slot_map() const {
  SlotMap map;
  if (config_.noise_mean) map.mean = frozen_.at(kNoiseMean);
  if (config_.reconstruction == 0) return map;
  map.encoder_weight = parameter(kEncoderWeight);
  map.encoder_bias = parameter(kEncoderBias);
  map.decoder_weight = parameter(kDecoderWeight);
  map.decoder_bias = parameter(kDecoderBias);
  return map;
}

at::Tensor Network::head(const at::Tensor& features, const TrainingStep* training) const {
  at::Tensor input = features;
  if (training != nullptr && config_.dropout > 0)
    input =
        input * training->mask(input.size(0), input.size(1), config_.dropout, 1).to(input.device());
  return at::linear(input, parameter("head.weight"), parameter("head.bias"));
}

std::unique_ptr<Network> make_network(const Classifier& classifier, const at::Device& device) {
  for (const Row& row : kNetworks)
    if (classifier.config().architecture == row.architecture) return row.make(classifier, device);
  throw std::logic_error("LibTorch has no graph of " + classifier.config().architecture);
}

}  // namespace textcrs
