// The LibTorch graph of a model: its parameters by name and its forward pass.
#pragma once

#include <torch/types.h>

#include <map>
#include <memory>
#include <string>

#include "copies.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

class Network {
 public:
  // vectors: (V, D), frozen; row kPad is zero.
  Network(ModelConfig config, at::Tensor vectors)
      : config_(std::move(config)), vectors_(std::move(vectors)) {}
  virtual ~Network() = default;

  // Logits (B, C) in the order of the batch. `training` is null elsewhere.
  virtual at::Tensor forward(const CopyBatch& batch, const TrainingStep* training) const = 0;

  const ModelConfig& config() const { return config_; }
  const at::Tensor& vectors() const { return vectors_; }

  // The trainable tensors by their PyTorch-style names ("lstm.weight_ih_l0"), leaves that require
  // gradients.
  const std::map<std::string, at::Tensor>& parameters() const { return parameters_; }

  // Copies `values` into the parameter of that name (same shape).
  void assign(const std::string& name, const at::Tensor& values);
  virtual void move_to(const at::Device& device);

 protected:
  // Registers a parameter drawn uniformly from [-bound, bound], from a stream keyed by its name.
  void add_parameter(const std::string& name, at::IntArrayRef shape, double bound, uint64_t seed);
  const at::Tensor& parameter(const std::string& name) const { return parameters_.at(name); }
  // Dropout on pooled features (B, F), then the linear head "head.weight", "head.bias".
  void add_head(int64_t features, uint64_t seed);
  at::Tensor head(const at::Tensor& features, const TrainingStep* training) const;

 private:
  ModelConfig config_;
  at::Tensor vectors_;
  std::map<std::string, at::Tensor> parameters_;
};

// A fresh network of config.architecture, initialised from `seed`.
std::unique_ptr<Network> make_network(const ModelConfig& config, at::Tensor vectors, uint64_t seed);

std::unique_ptr<Network> make_bilstm(const ModelConfig& config, at::Tensor vectors, uint64_t seed);
std::unique_ptr<Network> make_cnn(const ModelConfig& config, at::Tensor vectors, uint64_t seed);

// "cpu" or "cuda"; a usage Error for anything else and for cuda where there is none.
at::Device parse_device(const std::string& name);

}  // namespace textcrs
