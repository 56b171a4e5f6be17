// The only source of randomness: a value, never a global.
//
// A Stream is Philox4x32-10 with the key `seed` and the counter {block, sample, example, lane}. Two
// streams with different (seed, example, sample, lane) are independent, and the numbers a stream
// yields depend on nothing else, so results are the same for any number of threads, batches and
// shards, and after a resume.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

class Stream {
 public:
  using result_type = uint32_t;  // a UniformRandomBitGenerator for the standard library

  Stream(uint64_t seed, uint32_t example, uint32_t sample, uint32_t lane = 0)
      : seed_(seed), example_(example), sample_(sample), lane_(lane) {}

  // An independent stream for another use of the same (seed, example, sample); textcrs/base/lanes.h
  // says who uses which.
  Stream lane(uint32_t lane) const { return Stream(seed_, example_, sample_, lane); }

  // The key of Philox and the counter of the next block of four words.
  struct Position {
    uint64_t seed;
    uint32_t block, sample, example, lane;
  };
  Position position() const { return {seed_, block_, sample_, example_, lane_}; }

  static constexpr uint32_t min() { return 0; }
  static constexpr uint32_t max() { return std::numeric_limits<uint32_t>::max(); }
  uint32_t operator()();

  double uniform();                    // uniform on [0, 1), 53 bits
  bool bernoulli(double p);            // true with probability p
  uint32_t below(uint32_t n);          // uniform on {0, .., n-1} without bias; n > 0
  void normals(std::span<float> out);  // independent N(0, 1)

  template <typename T>
  void shuffle(std::span<T> items) {  // uniform over the permutations (Fisher-Yates)
    for (uint32_t i = static_cast<uint32_t>(items.size()); i > 1; --i)
      std::swap(items[i - 1], items[below(i)]);
  }

 private:
  void refill();

  uint64_t seed_;
  uint32_t example_, sample_, lane_;
  uint32_t block_ = 0;
  uint32_t used_ = 4;
  std::array<uint32_t, 4> buffer_{};
};

}  // namespace textcrs
