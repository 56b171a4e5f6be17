#include "textcrs/model/weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "model/float_formats.h"
#include "textcrs/base/error.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/stream.h"
#include "textcrs/model/safetensors.h"

namespace textcrs {
namespace {

FloatTensor copy_of(const std::filesystem::path& path, const std::string& name,
                    const TensorView& view) {
  FloatTensor tensor{view.shape, std::vector<float>(view.data.size() / sizeof(float))};
  if (!tensor.values.empty()) std::memcpy(tensor.values.data(), view.data.data(), view.data.size());
  check_finite(path, name, tensor.values);
  return tensor;
}

}  // namespace

int64_t elements_of(const std::vector<int64_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
}

FloatTensor fresh_tensor(const TensorSpec& spec, uint64_t seed) {
  FloatTensor tensor{spec.shape, std::vector<float>(static_cast<size_t>(elements_of(spec.shape)))};
  uint32_t key = 2166136261u;  // FNV-1a
  for (const char c : spec.name) key = (key ^ static_cast<unsigned char>(c)) * 16777619u;
  Stream stream(seed, key, 0, lane::kFreshParameters);
  if (spec.bound > 0)
    for (float& value : tensor.values)
      value = static_cast<float>((2 * stream.uniform() - 1) * spec.bound);
  std::fill(tensor.values.begin() + spec.ones_from, tensor.values.begin() + spec.ones_to, 1.0f);
  return tensor;
}

void save_weights(const std::filesystem::path& path, const Weights& weights,
                  const std::map<std::string, std::string>& metadata) {
  std::map<std::string, TensorView> views;
  for (const auto& [name, tensor] : weights)
    views[name] = {"F32", tensor.shape, std::as_bytes(std::span(tensor.values))};
  write_safetensors(path, views, metadata);
}

Weights load_weights(const std::filesystem::path& path) {
  const SafetensorsFile file(path);
  Weights weights;
  for (const auto& [name, view] : file.tensors())
    weights[name] = copy_of(path, name, file.get(name, "F32", view.shape));
  return weights;
}

Weights load_weights(const std::filesystem::path& path, const std::vector<TensorSpec>& expected) {
  const SafetensorsFile file(path);
  for (const TensorSpec& spec : expected) file.get(spec.name, "F32", spec.shape);
  if (file.tensors().size() != expected.size())
    throw bad_input(fmt::format("{}: found {} tensors, expected {}", path.string(),
                                file.tensors().size(), expected.size()));
  Weights weights;
  for (const TensorSpec& spec : expected)
    weights[spec.name] = copy_of(path, spec.name, file.get(spec.name, "F32", spec.shape));
  return weights;
}

}  // namespace textcrs
