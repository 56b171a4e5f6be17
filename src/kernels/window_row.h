// The row of a window of neighbouring words in a table that all windows share, by a hash of the
// words, for host and device.
#pragma once

#include <cstdint>

#include "kernels/host_device.h"
#include "textcrs/base/hash.h"

namespace textcrs {

// word(i) is the i-th of `width` words.
template <typename Word>
TEXTCRS_HOST_DEVICE uint32_t window_row_of(const Word& word, uint32_t width, uint64_t rows) {
  uint64_t hash = kHashStart;
  for (uint32_t i = 0; i < width; ++i) {
    hash = (hash ^ static_cast<uint64_t>(word(i))) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 32;
  }
  return static_cast<uint32_t>(hash % rows);
}

}  // namespace textcrs
