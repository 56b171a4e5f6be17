// A hash of many bytes at the speed of memory: that a file is what was written. Not for security.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "textcrs/base/hash.h"

namespace textcrs {

// Four lanes of hash_bulk's steps, each of every fourth word of 8 bytes, so that the steps need not
// wait for each other; in the end FNV-1a of the lanes, of what is left and of the size. A step is
// one-to-one in the lane and in the word: bytes that differ in one word give different lanes.
class BlockHash {
 public:
  // The bytes may be cut in any way.
  void update(std::string_view bytes) {
    size_ += bytes.size();
    if (kept_ > 0) {
      const size_t taken = std::min(kBlock - kept_, bytes.size());
      std::memcpy(rest_.data() + kept_, bytes.data(), taken);
      kept_ += taken;
      bytes.remove_prefix(taken);
      if (kept_ < kBlock) return;
      add_blocks({rest_.data(), kBlock});
    }
    const size_t whole = bytes.size() / kBlock * kBlock;
    add_blocks(bytes.substr(0, whole));
    kept_ = bytes.size() - whole;
    std::memcpy(rest_.data(), bytes.data() + whole, kept_);
  }

  uint64_t finish() const {
    const uint64_t hash = fnv1a(bytes_of(lanes_.data(), lanes_.size()));
    return fnv1a(bytes_of(&size_, 1), fnv1a({rest_.data(), kept_}, hash));
  }

 private:
  static constexpr size_t kBlock = 32;

  void add_blocks(std::string_view bytes) {
    std::array<uint64_t, 4> lanes = lanes_;
    for (size_t at = 0; at < bytes.size(); at += kBlock) {
      std::array<uint64_t, 4> words;
      std::memcpy(words.data(), bytes.data() + at, kBlock);
      for (size_t i = 0; i < 4; ++i) lanes[i] = std::rotl((lanes[i] ^ words[i]) * kPrime, 29);
    }
    lanes_ = lanes;
  }

  static constexpr uint64_t kPrime = 0x9e3779b97f4a7c15;

  std::array<uint64_t, 4> lanes_ = {kHashStart, kHashStart + 1, kHashStart + 2, kHashStart + 3};
  std::array<char, kBlock> rest_{};
  size_t kept_ = 0;    // bytes in rest_
  uint64_t size_ = 0;  // of all bytes
};

inline uint64_t block_hash(std::string_view bytes) {
  BlockHash hash;
  hash.update(bytes);
  return hash.finish();
}

}  // namespace textcrs
