// Between LibTorch's tensors and plain ones.
#pragma once

#include <torch/types.h>

#include <map>
#include <string>

#include "textcrs/model/weights.h"

namespace textcrs {

using TensorMap = std::map<std::string, at::Tensor>;

// A float32 copy on the CPU.
FloatTensor to_plain(const at::Tensor& tensor);
Weights to_plain(const TensorMap& tensors);

// A copy on the CPU. std::logic_error unless there are as many values as the shape says.
at::Tensor to_tensor(const FloatTensor& tensor);
// The same memory, which must outlive the tensor and is not written to.
at::Tensor as_tensor(const FloatTensor& tensor);

// "cpu" or "cuda"; a usage Error for anything else and for cuda where there is none.
at::Device parse_device(const std::string& name);

}  // namespace textcrs
