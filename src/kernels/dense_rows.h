// The two ends of a dense layer's product for one architecture A: how the rows go in and how the
// sums come out. Included by the file of each ISA, which is compiled for it. Internal linkage and
// no call of the standard library: see lstm_cells.h.
//
// A has what gelu.h asks for, and
//   F, kLanes               a vector of floats, load store set1 add fma
//   H                       what inputs and weights are kept as
//   store_terms(h, x, round)   x becomes the terms at h
#pragma once

#include "kernels/dense.h"
#include "kernels/gelu.h"

namespace textcrs {
namespace {

template <typename A>
struct DenseRows {
  using H = typename A::H;
  static constexpr int kLine = 64 / sizeof(H);  // terms in a cache line

  static ptrdiff_t lines(const Dense::Shape& shape) { return (shape.terms + kLine - 1) / kLine; }
  // Terms of a packed row.
  static ptrdiff_t row_size(const Dense::Shape& shape) { return lines(shape) * kLine; }

  // Tiles are packed line by line: term k of row r of a tile of `size` rows is at
  // (k / kLine * size + r) * kLine + k % kLine. So all the rows of a tile are one stream, at fixed
  // distances. Terms beyond the inputs, and rows beyond the `count` from `first` on, are 0.
  static void pack(const Dense::Shape& shape, const DenseCall& call, ptrdiff_t first, int count,
                   int size, H* to) {
    const ptrdiff_t step = ptrdiff_t{size} * kLine;
    for (int r = 0; r < count; ++r, to += kLine) {
      const float* const from = call.input + (first + r) * call.input_stride;
      for (ptrdiff_t line = 0; line < lines(shape); ++line) {
        const ptrdiff_t begin = line * kLine;
        if (begin + kLine <= shape.inputs) {
          pack_line(from + begin, shape.round_to_bf16, to + line * step);
        } else {
          float rest[kLine] = {};
          for (ptrdiff_t k = begin; k < shape.inputs; ++k) rest[k - begin] = from[k];
          pack_line(rest, shape.round_to_bf16, to + line * step);
        }
      }
    }
    for (int r = count; r < size; ++r, to += kLine)
      for (ptrdiff_t line = 0; line < lines(shape); ++line)
        __builtin_memset(to + line * step, 0, kLine * sizeof(H));
  }

  // Asks for the memory that finish() is going to read and write.
  static void expect(const DenseCall& call, ptrdiff_t row, int output, int panel) {
    constexpr int kFloats = 64 / sizeof(float);
    const ptrdiff_t at = row * call.output_stride + output;
    for (int i = 0; i < panel; i += kFloats) {
      __builtin_prefetch(call.output + at + i, /*for writing=*/1);
      if (call.residual != nullptr) __builtin_prefetch(call.residual + at + i);
    }
  }

  // From the sums of `panel` outputs of a row, from `output` on, to those outputs.
  static void finish(const Dense::Shape& shape, const DenseCall& call, ptrdiff_t row, int output,
                     int panel, const float* sums) {
    const ptrdiff_t at = row * call.output_stride + output;
    const float* const bias = shape.bias + output;
    const int count = shape.outputs - output < panel ? shape.outputs - output : panel;
    int i = 0;
    for (; i + A::kLanes <= count; i += A::kLanes)
      A::store(call.output + at + i,
               finished(call, sums + i, bias + i,
                        call.residual != nullptr ? call.residual + at + i : nullptr));
    if (i == count) return;
    float rest[A::kLanes] = {};
    for (int j = i; j < count && call.residual != nullptr; ++j) rest[j - i] = call.residual[at + j];
    A::store(rest, finished(call, sums + i, bias + i, call.residual != nullptr ? rest : nullptr));
    for (int j = i; j < count; ++j) call.output[at + j] = rest[j - i];
  }

 private:
  using F = typename A::F;

  static void pack_line(const float* from, bool round, H* to) {
    for (int i = 0; i < kLine; i += A::kLanes) A::store_terms(to + i, A::load(from + i), round);
  }

  static F finished(const DenseCall& call, const float* sums, const float* bias,
                    const float* residual) {
    F y = A::add(A::load(sums), A::load(bias));
    if (call.gelu) y = gelu<A>(y);
    return residual != nullptr ? A::add(y, A::load(residual)) : y;
  }
};

}  // namespace
}  // namespace textcrs
