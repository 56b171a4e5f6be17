// Between LibTorch's tensors and the bytes of a safetensors file.
#pragma once

#include <torch/types.h>

#include <map>
#include <string>

#include "textcrs/model/safetensors.h"

namespace textcrs {

// A float32 CPU copy, contiguous; what as_view() looks at.
at::Tensor to_cpu_floats(const at::Tensor& tensor);
// `tensor` must be contiguous float32 on the CPU and outlive the view.
TensorView as_view(const at::Tensor& tensor);
// A float32 copy of an F32, F16 or BF16 tensor; std::logic_error for others.
at::Tensor from_view(const TensorView& view);

// Writes the tensors atomically as F32.
void save_tensors(const std::filesystem::path& path,
                  const std::map<std::string, at::Tensor>& tensors,
                  const std::map<std::string, std::string>& metadata = {});

}  // namespace textcrs
