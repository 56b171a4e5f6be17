// The LibTorch graph of a model: its parameters by name and its forward pass.
#pragma once

#include <torch/types.h>

#include <memory>
#include <string>

#include "textcrs/model/classifier.h"
#include "torch/copies.h"
#include "torch/tensors.h"

namespace textcrs {

class Network {
 public:
  // Begins with the classifier's weights. The classifier must outlive it.
  Network(const Classifier& classifier, const at::Device& device);
  virtual ~Network() = default;

  // Logits (B, C) in the order of the copies. `training` is null elsewhere.
  virtual at::Tensor forward(const CopyView& copies, const TrainingStep* training) const = 0;

  const ModelConfig& config() const { return config_; }
  at::Device device() const { return vectors_.device(); }
  // Of word models (V, D), row kPad is zero, and stays so where they are trained (then they are one
  // of the parameters); of bert (pieces, D). Frozen otherwise.
  const at::Tensor& vectors() const { return vectors_; }
  // The trainable tensors by their PyTorch-style names ("lstm.weight_ih_l0"), leaves that require
  // gradients.
  const TensorMap& parameters() const { return parameters_; }
  // Tensors beside `vectors` that are never trained.
  const TensorMap& frozen() const { return frozen_; }

  // Reads these instead, of the same shape, on its device.
  void use_vectors(at::Tensor vectors) { vectors_ = std::move(vectors); }

  // Copies `values` into the parameter of that name (same shape).
  void assign(const std::string& name, const at::Tensor& values);

  // On a GPU, batches that are under way at a time: while it computes one, others are prepared.
  virtual int batches_in_flight() const { return 1; }
  // On the CPU, whether forward() uses TrainingStep::threads. Of others several run at a time.
  virtual bool uses_threads() const { return false; }

 protected:
  const at::Tensor& parameter(const std::string& name) const { return parameters_.at(name); }
  SlotMap slot_map() const;
  // Dropout on pooled features (B, F), then the linear head "head.weight", "head.bias".
  at::Tensor head(const at::Tensor& features, const TrainingStep* training) const;

 private:
  ModelConfig config_;
  at::Tensor vectors_;
  TensorMap parameters_, frozen_;
};

// By the classifier's architecture.
std::unique_ptr<Network> make_network(const Classifier& classifier, const at::Device& device);

std::unique_ptr<Network> make_bilstm(const Classifier& classifier, const at::Device& device);
std::unique_ptr<Network> make_cnn(const Classifier& classifier, const at::Device& device);
std::unique_ptr<Network> make_bert(const Classifier& classifier, const at::Device& device);
std::unique_ptr<Network> make_votes(const Classifier& classifier, const at::Device& device);

}  // namespace textcrs
