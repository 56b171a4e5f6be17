#include "textcrs/base/stream.h"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace textcrs {

void Stream::refill() {
  const r123::Philox4x32::key_type key = {
      {static_cast<uint32_t>(seed_), static_cast<uint32_t>(seed_ >> 32)}};
  const r123::Philox4x32::ctr_type counter = {{block_++, sample_, example_, lane_}};
  const auto block = r123::Philox4x32()(counter, key);
  for (int i = 0; i < 4; ++i) buffer_[i] = block[i];
  used_ = 0;
}

uint32_t Stream::operator()() {
  if (used_ == 4) refill();
  return buffer_[used_++];
}

double Stream::uniform() {
  const uint64_t high = (*this)() >> 5, low = (*this)() >> 6;  // 27 and 26 bits
  return static_cast<double>(high << 26 | low) * 0x1p-53;
}

bool Stream::bernoulli(double p) { return uniform() < p; }

// Lemire's multiply-and-reject.
uint32_t Stream::below(uint32_t n) {
  if (n == 0) throw std::logic_error("Stream::below: n must be positive");
  uint64_t product = static_cast<uint64_t>((*this)()) * n;
  if (static_cast<uint32_t>(product) < n) {
    const uint32_t threshold = -n % n;
    while (static_cast<uint32_t>(product) < threshold)
      product = static_cast<uint64_t>((*this)()) * n;
  }
  return static_cast<uint32_t>(product >> 32);
}

// Box-Muller, four normals per block; u > 0 keeps the logarithm finite.
void Stream::normals(std::span<float> out) {
  for (size_t i = 0; i < out.size();) {
    refill();
    for (int pair = 0; pair < 4 && i < out.size(); pair += 2) {
      const float u = (static_cast<float>(buffer_[pair] >> 8) + 1) * 0x1p-24f;  // (0, 1]
      const float angle =
          2 * std::numbers::pi_v<float> * (static_cast<float>(buffer_[pair + 1] >> 8) * 0x1p-24f);
      const float radius = std::sqrt(-2 * std::log(u));
      out[i++] = radius * std::cos(angle);
      if (i < out.size()) out[i++] = radius * std::sin(angle);
    }
    used_ = 4;
  }
}

}  // namespace textcrs
