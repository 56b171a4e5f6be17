// Layer normalization for one vector architecture A; included by the file of each, which is
// compiled for it. Internal linkage and no call of the standard library: see lstm_cells.h.
//
// A has
//   F, kLanes                   a vector of floats
//   load store set1 add sub mul fma   (fma(a, b, c) = a b + c)
//   load_some(p, n, rest)       the first n < kLanes numbers at p, then those of `rest`
//   store_some(p, x, n)         the first n < kLanes numbers of x
//   total(x)                    the sum of the lanes
#pragma once

#include "kernels/layer_norm.h"

namespace textcrs {
namespace {

template <typename A>
class LayerNormRows {
 public:
  static void run(const LayerNormCall& call) {
    for (int r = 0; r < call.rows; ++r)
      normalize(call, call.input + r * call.input_stride, call.output + r * call.output_stride);
  }

 private:
  using F = typename A::F;
  static constexpr int kTogether = 4;  // sums that are taken side by side

  // The first mean is off by its rounding. What the differences from it, which round little, have
  // for a mean is the rest of the mean: rows far from 0, and constant ones, keep their precision.
  static void normalize(const LayerNormCall& call, const float* row, float* to) {
    const float share = 1.0f / static_cast<float>(call.width);
    F sums[kTogether];
    for (F& sum : sums) sum = A::set1(0.0f);
    each(call.width, row, A::set1(0.0f), [&](F x, int i) { sums[i] = A::add(sums[i], x); });
    const F middle = A::set1(total(sums) * share);

    F squares[kTogether];
    for (int i = 0; i < kTogether; ++i) sums[i] = squares[i] = A::set1(0.0f);
    each(call.width, row, middle, [&](F x, int i) {
      const F y = A::sub(x, middle);
      sums[i] = A::add(sums[i], y);
      squares[i] = A::fma(y, y, squares[i]);
    });
    const float rest = total(sums) * share;
    const float variance = total(squares) * share - rest * rest;
    const float deviation = __builtin_sqrtf((variance > 0 ? variance : 0) + call.epsilon);
    const F shift = A::set1(rest), scale = A::set1(1.0f / deviation);

    const auto result = [&](F x, F gain, F bias) {
      return A::fma(A::mul(A::sub(A::sub(x, middle), shift), scale), gain, bias);
    };
    int i = 0;
    for (; i + A::kLanes <= call.width; i += A::kLanes)
      A::store(to + i, result(A::load(row + i), A::load(call.gain + i), A::load(call.bias + i)));
    if (const int n = call.width - i; n > 0) {
      const F zero = A::set1(0.0f);
      A::store_some(to + i,
                    result(A::load_some(row + i, n, zero), A::load_some(call.gain + i, n, zero),
                           A::load_some(call.bias + i, n, zero)),
                    n);
    }
  }

  // Calls take(x, i) for the vectors of a row, the last filled up with `rest`; i counts to
  // kTogether over and over.
  template <typename Take>
  static void each(int width, const float* row, F rest, Take take) {
    int at = 0;
    for (; at + kTogether * A::kLanes <= width; at += kTogether * A::kLanes)
#pragma GCC unroll 4
      for (int i = 0; i < kTogether; ++i) take(A::load(row + at + i * A::kLanes), i);
#pragma GCC unroll 4
    for (int i = 0; i < kTogether; ++i, at += A::kLanes)
      if (at + A::kLanes <= width)
        take(A::load(row + at), i);
      else if (at < width)
        take(A::load_some(row + at, width - at, rest), i);
  }

  static float total(const F (&sums)[kTogether]) {
    return A::total(A::add(A::add(sums[0], sums[1]), A::add(sums[2], sums[3])));
  }
};

}  // namespace
}  // namespace textcrs
