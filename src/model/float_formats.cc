#include "model/float_formats.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

float from_bf16(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

// IEEE 754 half precision: sign, 5 bits of exponent, 10 bits of fraction.
float from_half(uint16_t bits) {
  const uint32_t sign = uint32_t{bits & 0x8000u} << 16, exponent = bits >> 10 & 0x1fu,
                 fraction = bits & 0x3ffu;
  if (exponent == 0x1f) return std::bit_cast<float>(sign | 0x7f800000u | fraction << 13);
  if (exponent == 0) {  // subnormal: fraction 2^-24
    const float value = std::ldexp(static_cast<float>(fraction), -24);
    return sign != 0 ? -value : value;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
}

template <typename Stored, typename Convert>
std::vector<float> convert(const TensorView& tensor, const Convert& one) {
  std::vector<float> values(tensor.data.size() / sizeof(Stored));
  for (size_t i = 0; i < values.size(); ++i) {
    Stored stored;
    std::memcpy(&stored, tensor.data.data() + i * sizeof(Stored), sizeof(Stored));
    values[i] = one(stored);
  }
  return values;
}

}  // namespace

bool knows_float_format(std::string_view dtype) {
  return dtype == "F32" || dtype == "F16" || dtype == "BF16";
}

std::vector<float> floats_of(const TensorView& tensor) {
  if (tensor.dtype == "F32") return convert<float>(tensor, [](float x) { return x; });
  if (tensor.dtype == "F16") return convert<uint16_t>(tensor, from_half);
  if (tensor.dtype == "BF16") return convert<uint16_t>(tensor, from_bf16);
  throw std::logic_error("floats_of: found a tensor of " + tensor.dtype);
}

void check_finite(const std::filesystem::path& file, const std::string& tensor,
                  std::span<const float> values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw bad_input(fmt::format("{}: tensor '{}': value {} is {}, expected finite ones",
                                  file.string(), tensor, i, values[i]));
}

}  // namespace textcrs
