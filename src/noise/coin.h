// A biased coin at one 32-bit draw per flip.
#pragma once

#include <cmath>
#include <cstdint>

#include "kernels/draws.h"
#include "textcrs/base/stream.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {

// Comes up true with exactly sampled_probability(p), 0 < p < 1: the draw is the high half of a
// 64-bit uniform number, and its low half is drawn only when the high half alone can not decide
// (once in 2^32 flips).
class Coin {
 public:
  explicit Coin(double p) {
    const auto threshold = static_cast<uint64_t>(std::ldexp(sampled_probability(p), 64));
    threshold_ = {static_cast<uint32_t>(threshold >> 32), static_cast<uint32_t>(threshold)};
  }

  double probability() const {
    return std::ldexp(threshold_.high, -32) + std::ldexp(threshold_.low, -64);
  }
  CoinThreshold threshold() const { return threshold_; }

  bool flip(Stream& stream) const { return textcrs::flip(threshold_, stream); }

  // Whether a flip's first draw is enough, and what then comes up.
  bool decides(uint32_t draw) const { return draw != threshold_.high; }
  bool is_below(uint32_t draw) const { return draw < threshold_.high; }

 private:
  CoinThreshold threshold_;
};

}  // namespace textcrs
