#include "tensor_bytes.h"

#include <cstring>
#include <stdexcept>

namespace textcrs {

at::Tensor to_cpu_floats(const at::Tensor& tensor) {
  return tensor.detach().to(at::kCPU, at::kFloat).contiguous();
}

TensorView as_view(const at::Tensor& tensor) {
  return {"F32",
          tensor.sizes().vec(),
          {reinterpret_cast<const std::byte*>(tensor.data_ptr<float>()),
           static_cast<size_t>(tensor.numel()) * sizeof(float)}};
}

at::Tensor from_view(const TensorView& view) {
  const at::ScalarType type = view.dtype == "F32"    ? at::kFloat
                              : view.dtype == "F16"  ? at::kHalf
                              : view.dtype == "BF16" ? at::kBFloat16
                                                     : at::kByte;
  if (type == at::kByte) throw std::logic_error("from_view: found a tensor of " + view.dtype);
  at::Tensor tensor = at::empty(view.shape, type);
  std::memcpy(tensor.data_ptr(), view.data.data(), view.data.size());
  return tensor.to(at::kFloat);
}

void save_tensors(const std::filesystem::path& path,
                  const std::map<std::string, at::Tensor>& tensors,
                  const std::map<std::string, std::string>& metadata) {
  std::map<std::string, at::Tensor> held;
  std::map<std::string, TensorView> views;
  for (const auto& [name, tensor] : tensors) {
    held[name] = to_cpu_floats(tensor);
    views[name] = as_view(held[name]);
  }
  write_safetensors(path, views, metadata);
}

}  // namespace textcrs
