// The LibTorch graph of a model: its parameters by name and its forward pass.
#pragma once

#include <torch/types.h>

#include <map>
#include <memory>
#include <string>

#include "copies.h"
#include "textcrs/model/classifier.h"
#include "textcrs/model/safetensors.h"

namespace textcrs {

// Where a network's parameters come from.
class Initializer {
 public:
  virtual ~Initializer() = default;
  // The values of the parameter of that name; `bound` is half the width of a fresh one's range.
  virtual at::Tensor make(const std::string& name, at::IntArrayRef shape, double bound) const = 0;
  virtual bool is_fresh() const = 0;
};

// Uniform on [-bound, bound], from a stream keyed by the name: the values do not depend on the
// order in which parameters are made.
class FreshInitializer : public Initializer {
 public:
  explicit FreshInitializer(uint64_t seed) : seed_(seed) {}
  at::Tensor make(const std::string& name, at::IntArrayRef shape, double bound) const override;
  bool is_fresh() const override { return true; }

 private:
  uint64_t seed_;
};

// Out of a file, refused before memory is taken unless it holds just this name and shape.
class FileInitializer : public Initializer {
 public:
  explicit FileInitializer(const SafetensorsFile& file) : file_(file) {}
  at::Tensor make(const std::string& name, at::IntArrayRef shape, double bound) const override;
  bool is_fresh() const override { return false; }

 private:
  const SafetensorsFile& file_;
};

class Network {
 public:
  // vectors: frozen. Of word models (V, D), row kPad is zero; of bert (pieces, D).
  Network(ModelConfig config, at::Tensor vectors)
      : config_(std::move(config)), vectors_(std::move(vectors)) {}
  virtual ~Network() = default;

  // Logits (B, C) in the order of the batch. `training` is null elsewhere.
  virtual at::Tensor forward(const CopyBatch& batch, const TrainingStep* training) const = 0;

  const ModelConfig& config() const { return config_; }
  const at::Tensor& vectors() const { return vectors_; }
  // The vectors of the words [first, last) as the insertion noise sees them, row-major.
  virtual std::vector<float> word_vectors(WordId first, WordId last) const;

  // The trainable tensors by their PyTorch-style names ("lstm.weight_ih_l0"), leaves that require
  // gradients.
  const std::map<std::string, at::Tensor>& parameters() const { return parameters_; }
  // Tensors beside `vectors` that are never trained.
  const std::map<std::string, at::Tensor>& frozen() const { return frozen_; }

  // Copies `values` into the parameter of that name (same shape).
  void assign(const std::string& name, const at::Tensor& values);
  virtual void move_to(const at::Device& device);

 protected:
  void add_parameter(const std::string& name, at::IntArrayRef shape, double bound,
                     const Initializer& initial);
  void add_parameter(const std::string& name, at::Tensor values);
  void add_frozen(const std::string& name, at::Tensor values);
  const at::Tensor& parameter(const std::string& name) const { return parameters_.at(name); }
  // Dropout on pooled features (B, F), then the linear head "head.weight", "head.bias".
  void add_head(int64_t features, const Initializer& initial);
  at::Tensor head(const at::Tensor& features, const TrainingStep* training) const;

 private:
  ModelConfig config_;
  at::Tensor vectors_;
  std::map<std::string, at::Tensor> parameters_, frozen_;
};

// A bilstm or cnn, by config.architecture; a bert is made by make_bert (bert.h).
std::unique_ptr<Network> make_network(const ModelConfig& config, at::Tensor vectors,
                                      const Initializer& initial);

std::unique_ptr<Network> make_bilstm(const ModelConfig& config, at::Tensor vectors,
                                     const Initializer& initial);
std::unique_ptr<Network> make_cnn(const ModelConfig& config, at::Tensor vectors,
                                  const Initializer& initial);

// "cpu" or "cuda"; a usage Error for anything else and for cuda where there is none.
at::Device parse_device(const std::string& name);

}  // namespace textcrs
