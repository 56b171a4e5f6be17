// What lstm_tiles.h asks for, in plain C++: the kernel for the matrix unit on every machine.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/bf16.h"

namespace textcrs {

struct SoftwareVectors {
  struct F {
    float x[16];
  };
  using H = uint16_t;
  static constexpr int kLanes = 16, kRows = 16;

  template <typename Function>
  static F each(Function function) {
    F result;
    for (int i = 0; i < 16; ++i) result.x[i] = function(i);
    return result;
  }
  static F load(const float* from) {
    return each([&](int i) { return from[i]; });
  }
  static void store(float* to, F a) { std::copy(a.x, a.x + 16, to); }
  static F set1(float x) {
    return each([&](int) { return x; });
  }
  static F add(F a, F b) {
    return each([&](int i) { return a.x[i] + b.x[i]; });
  }
  static F mul(F a, F b) {
    return each([&](int i) { return a.x[i] * b.x[i]; });
  }
  static F fma(F a, F b, F c) { return add(mul(a, b), c); }
  static F max(F a, F b) {
    return each([&](int i) { return std::max(a.x[i], b.x[i]); });
  }

  static F bounded(F a, F most) {
    return each([&](int i) { return std::min(std::abs(a.x[i]), most.x[i]); });
  }
  using Table = const float*;
  static Table table(const float (&values)[32]) { return values; }
  static F look_up(Table table, F place) {
    return each([&](int i) { return table[std::bit_cast<uint32_t>(place.x[i]) % 32]; });
  }
  static F flipped(F a, F by) {
    return each([&](int i) { return std::signbit(by.x[i]) ? -a.x[i] : a.x[i]; });
  }

  static uint16_t state_of(float x, bool) { return to_bf16(x); }
  static void store_state(uint16_t* states, F a, ptrdiff_t unit, bool) {
    for (int i = 0; i < 16; ++i) states[unit + i] = to_bf16(a.x[i]);
  }
};

// As Intel's manual describes TILELOADD, TILESTORED, TILEZERO and TDPBF16PS.
class SoftwareTiles {
 public:
  template <int T>
  void zero() {
    std::memset(tiles_[T], 0, sizeof(tiles_[T]));
  }
  template <int T>
  void load(const void* from, ptrdiff_t stride) {
    for (int row = 0; row < 16; ++row)
      std::memcpy(tiles_[T][row], static_cast<const std::byte*>(from) + row * stride, 64);
  }
  template <int T>
  void store(void* to, ptrdiff_t stride) {
    for (int row = 0; row < 16; ++row)
      std::memcpy(static_cast<std::byte*>(to) + row * stride, tiles_[T][row], 64);
  }
  template <int S, int X, int W>
  void dot() {
    for (int m = 0; m < 16; ++m)
      for (int n = 0; n < 16; ++n) {
        float even = 0, odd = 0, sum;
        for (int k = 0; k < 16; ++k) {
          even += at<X>(m, 2 * k) * at<W>(k, 2 * n);
          odd += at<X>(m, 2 * k + 1) * at<W>(k, 2 * n + 1);
        }
        std::memcpy(&sum, tiles_[S][m] + 4 * n, 4);
        sum += even + odd;
        std::memcpy(tiles_[S][m] + 4 * n, &sum, 4);
      }
  }

 private:
  template <int T>
  float at(int row, int column) const {
    uint16_t x;
    std::memcpy(&x, tiles_[T][row] + 2 * column, 2);
    return from_bf16(x);
  }
  std::byte tiles_[8][16][64];
};

}  // namespace textcrs
