#include "torch/tensors.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <stdexcept>

#include "textcrs/base/error.h"

namespace textcrs {

FloatTensor to_plain(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
  const float* const first = plain.data_ptr<float>();
  return {plain.sizes().vec(), {first, first + plain.numel()}};
}

Weights to_plain(const TensorMap& tensors) {
  Weights weights;
  for (const auto& [name, tensor] : tensors) weights[name] = to_plain(tensor);
  return weights;
}

at::Tensor to_tensor(const FloatTensor& tensor) { return as_tensor(tensor).clone(); }

at::Tensor as_tensor(const FloatTensor& tensor) {
  if (tensor.values.size() != static_cast<size_t>(elements_of(tensor.shape)))
    throw std::logic_error("FloatTensor: the number of values is not that of the shape");
  return at::from_blob(const_cast<float*>(tensor.values.data()), tensor.shape, at::kFloat);
}

at::Device parse_device(const std::string& name) {
  if (name == "cpu") return at::kCPU;
  if (name != "cuda") throw usage_error(fmt::format("device is '{}', expected cpu or cuda", name));
  if (!at::hasCUDA()) throw usage_error("device is cuda, but no usable GPU was found; use cpu");
  return at::kCUDA;
}

}  // namespace textcrs
