// The matrix products of attention for one vector architecture A. Internal linkage and no call of
// the standard library: see lstm_cells.h.
//
// What is multiplied is kept in words of 32 bits. A has
//   F, kLanes               a vector of floats or words
//   kRows, kColumns         the rows and vectors of a product kept in registers together
//   load store set1
//   broadcast(p)            the word at p
//   product(a, b, sum)      sum + a b, of words
#pragma once

#include <cstddef>

namespace textcrs {
namespace {

// The first of as few parts of n as can be, none of them above `most`, all of much the same size.
inline int even_part(int n, int most) {
  const int parts = (n + most - 1) / most;
  return (n + parts - 1) / parts;
}

// to[r][c] = the sum over w of left[r][w] right[c][w], of vectors c.
template <typename A>
struct AttentionProduct {
  using F = typename A::F;

  const float* left;  // (rows, words)
  ptrdiff_t left_stride;
  const float* right;  // (columns, words, lanes)
  ptrdiff_t right_stride;
  int words;
  float* to;
  ptrdiff_t to_stride;

  void run(int rows, int columns) const {
    for (int c = 0, width; c < columns; c += width) {
      width = even_part(columns - c, A::kColumns);
      for (int r = 0, height; r < rows; r += height) {
        height = even_part(rows - r, A::kRows);
        some_columns<A::kColumns>(r, c, height, width);
      }
    }
  }

  template <int C>
  void some_columns(int r, int c, int height, int width) const {
    if constexpr (C > 0) {
      if (width == C)
        some_rows<A::kRows, C>(r, c, height);
      else
        some_columns<C - 1>(r, c, height, width);
    }
  }

  template <int R, int C>
  void some_rows(int r, int c, int height) const {
    if constexpr (R > 0) {
      if (height == R)
        tile<R, C>(left + r * left_stride, right + c * right_stride,
                   to + r * to_stride + c * A::kLanes);
      else
        some_rows<R - 1, C>(r, c, height);
    }
  }

  template <int R, int C>
  void tile(const float* a, const float* b, float* out) const {
    F sums[R][C];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 16
      for (int c = 0; c < C; ++c) sums[r][c] = A::set1(0.0f);
    const ptrdiff_t a_stride = left_stride, b_stride = right_stride;
    for (int w = words; w > 0; --w, ++a, b += A::kLanes) {
      F weights[C];
#pragma GCC unroll 16
      for (int c = 0; c < C; ++c) weights[c] = A::load(b + c * b_stride);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        const F input = A::broadcast(a + r * a_stride);
#pragma GCC unroll 16
        for (int c = 0; c < C; ++c) sums[r][c] = A::product(input, weights[c], sums[r][c]);
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 16
      for (int c = 0; c < C; ++c) A::store(out + r * to_stride + c * A::kLanes, sums[r][c]);
  }
};

}  // namespace
}  // namespace textcrs
