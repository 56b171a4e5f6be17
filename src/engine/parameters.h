// A network's parameters as plain numbers.
#pragma once

#include <string>
#include <vector>

#include "model/network.h"

namespace textcrs {

inline std::vector<float> values_of(const at::Tensor& tensor) {
  const at::Tensor plain = tensor.detach().to(at::kCPU).contiguous();
  return {plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel()};
}

// Row-major, as PyTorch has it.
inline std::vector<float> parameter_values(const Network& network, const std::string& name) {
  return values_of(network.parameters().at(name));
}

}  // namespace textcrs
