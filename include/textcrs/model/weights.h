// The numbers of a model: float32 tensors by name, in plain memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

struct FloatTensor {
  std::vector<int64_t> shape;
  std::vector<float> values;  // row-major, the product of the shape

  bool operator==(const FloatTensor&) const = default;
};

using Weights = std::map<std::string, FloatTensor>;

// A tensor that a model has.
struct TensorSpec {
  std::string name;  // as in PyTorch: "lstm.weight_ih_l0"
  std::vector<int64_t> shape;
  double bound = 0;                    // a fresh one is uniform on [-bound, bound],
  int64_t ones_from = 0, ones_to = 0;  // but for the values [ones_from, ones_to), which are 1
  bool is_trained = true;
};

int64_t elements_of(const std::vector<int64_t>& shape);

// A fresh tensor, from a stream keyed by its name: the values do not depend on the order in which
// tensors are made.
FloatTensor fresh_tensor(const TensorSpec& spec, uint64_t seed);

// A safetensors file, written atomically.
void save_weights(const std::filesystem::path& path, const Weights& weights,
                  const std::map<std::string, std::string>& metadata = {});

// All tensors of a safetensors file; a bad_input Error for one that is not float32, or
// holds what is no finite number.
Weights load_weights(const std::filesystem::path& path);
// The same for a file that holds just these tensors; anything else is a bad_input Error, before
// memory is taken.
Weights load_weights(const std::filesystem::path& path, const std::vector<TensorSpec>& expected);

}  // namespace textcrs
