// The arithmetic of textcrs/noise/word_hash.h, for host and device.
#pragma once

#include <cstdint>

#include "kernels/host_device.h"

namespace textcrs {

// The finalizer of splitmix64.
TEXTCRS_HOST_DEVICE inline uint64_t finalized_bits(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

// The bucket, of `buckets`, that hash function t has for a word with this spelling_hash.
TEXTCRS_HOST_DEVICE inline uint32_t bucket_of_hash(uint64_t spelling, uint32_t t,
                                                   uint32_t buckets) {
  const uint64_t mixed = finalized_bits(spelling + (t + uint64_t{1}) * 0x9e3779b97f4a7c15);
  return static_cast<uint32_t>((mixed >> 32) * buckets >> 32);
}

}  // namespace textcrs
