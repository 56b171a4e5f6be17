// The numbers of textcrs::Stream (textcrs/base/stream.h) for host and device, bit by bit.
#pragma once

#include <math.h>

#include <cstdint>

#include "kernels/host_device.h"

namespace textcrs {

struct PhiloxBlock {
  uint32_t x, y, z, w;
};

// Philox4x32-10 (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3).
TEXTCRS_HOST_DEVICE inline PhiloxBlock philox(PhiloxBlock counter, uint64_t key) {
  auto low = static_cast<uint32_t>(key), high = static_cast<uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t p = uint64_t{0xD2511F53} * counter.x, q = uint64_t{0xCD9E8D57} * counter.z;
    counter = {static_cast<uint32_t>(q >> 32) ^ counter.y ^ low, static_cast<uint32_t>(q),
               static_cast<uint32_t>(p >> 32) ^ counter.w ^ high, static_cast<uint32_t>(p)};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return counter;
}

// Stream's own members of the same names, but for below(0), which must not be called.
class PhiloxStream {
 public:
  TEXTCRS_HOST_DEVICE PhiloxStream(uint64_t seed, uint32_t example, uint32_t sample,
                                   uint32_t lane = 0)
      : seed_(seed), example_(example), sample_(sample), lane_(lane) {}

  TEXTCRS_HOST_DEVICE PhiloxStream lane(uint32_t other) const {
    return PhiloxStream(seed_, example_, sample_, other);
  }

  TEXTCRS_HOST_DEVICE uint32_t operator()() {
    if (left_ == 0) {
      next_ = block(0);
      ++block_;
      left_ = 4;
    }
    const uint32_t word = next_.x;
    next_ = {next_.y, next_.z, next_.w, 0};  // no index: it stays in registers
    --left_;
    return word;
  }

  TEXTCRS_HOST_DEVICE double uniform() {
    const uint64_t high = (*this)() >> 5, low = (*this)() >> 6;
    return static_cast<double>(high << 26 | low) * (1.0 / (uint64_t{1} << 53));
  }

  TEXTCRS_HOST_DEVICE uint32_t below(uint32_t n) {
    uint64_t product = static_cast<uint64_t>((*this)()) * n;
    if (static_cast<uint32_t>(product) < n) {
      const uint32_t threshold = -n % n;
      while (static_cast<uint32_t>(product) < threshold)
        product = static_cast<uint64_t>((*this)()) * n;
    }
    return static_cast<uint32_t>(product >> 32);
  }

  // Block number i (from 0) of those that are not begun yet. Block counters wrap after 2^32.
  TEXTCRS_HOST_DEVICE PhiloxBlock block(uint64_t i) const {
    return philox({block_ + static_cast<uint32_t>(i), sample_, example_, lane_}, seed_);
  }

 private:
  uint64_t seed_;
  uint32_t example_, sample_, lane_;
  uint32_t block_ = 0;
  uint32_t left_ = 0;                // words of the current block
  PhiloxBlock next_ = {0, 0, 0, 0};  // the words left, first
};

struct FourNormals {
  float x, y, z, w;
};

// Two words to two normals, by Box-Muller.
TEXTCRS_HOST_DEVICE inline void normal_pair(uint32_t first, uint32_t second, float& x, float& y) {
  const float u = (static_cast<float>(first >> 8) + 1) * (1.0f / (1 << 24));  // (0, 1]
  const float angle = 6.2831855f * (static_cast<float>(second >> 8) * (1.0f / (1 << 24)));
  const float radius = sqrtf(-2 * logf(u));
#ifdef __CUDA_ARCH__
  float sine, cosine;
  sincosf(angle, &sine, &cosine);
#else
  const float sine = sinf(angle), cosine = cosf(angle);
#endif
  x = radius * cosine;
  y = radius * sine;
}

// The normals 4 i .. 4 i + 3 of those that Stream::normals() would yield next, each within
// 2e-6 max(1, |x|) of it.
TEXTCRS_HOST_DEVICE inline FourNormals four_normals(const PhiloxStream& stream, uint64_t i) {
  const PhiloxBlock words = stream.block(i);
  FourNormals normals;
  normal_pair(words.x, words.y, normals.x, normals.y);
  normal_pair(words.z, words.w, normals.z, normals.w);
  return normals;
}

// The i-th of them. Who wants many takes four at a time.
TEXTCRS_HOST_DEVICE inline float normal_at(const PhiloxStream& stream, uint64_t i) {
  const PhiloxBlock words = stream.block(i / 4);
  float x, y;
  if (i % 4 < 2)
    normal_pair(words.x, words.y, x, y);
  else
    normal_pair(words.z, words.w, x, y);
  return i % 2 == 0 ? x : y;
}

}  // namespace textcrs
