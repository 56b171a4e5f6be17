// The floating-point formats of weights on disk.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/model/safetensors.h"

namespace textcrs {

bool knows_float_format(std::string_view dtype);  // F32, F16, BF16
// The values of a tensor in one of these formats, exactly; std::logic_error for another.
std::vector<float> floats_of(const TensorView& tensor);

// A bad_input Error that names the file and the tensor unless all values are finite.
void check_finite(const std::filesystem::path& file, const std::string& tensor,
                  std::span<const float> values);

}  // namespace textcrs
