// The upper half of a float.
#pragma once

#include <bit>
#include <cstdint>

namespace textcrs {

// To the nearest, ties to even. Finite numbers only.
constexpr uint16_t to_bf16(float x) {
  const auto bits = std::bit_cast<uint32_t>(x);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
constexpr float from_bf16(uint16_t x) { return std::bit_cast<float>(uint32_t{x} << 16); }
constexpr float rounded_to_bf16(float x) { return from_bf16(to_bf16(x)); }

}  // namespace textcrs
