// The windows of a CNN for one vector architecture A; included by the file of each, which is
// compiled for it. Internal linkage and no call of the standard library: see lstm_cells.h.
//
// A has
//   F, kLanes            a vector of floats
//   kRows, kColumns      of a product, the words and vectors of a row kept in registers together
//   load store set1 add fma max   (fma(a, b, c) = a b + c)
#pragma once

#include "kernels/cnn.h"

namespace textcrs {
namespace {

template <typename A>
class CnnWindows {
 public:
  static size_t scratch_bytes(int count) {
    return (static_cast<size_t>(count) + kChunk) * kBlock * sizeof(float);
  }

  // Block by block, and within a block the words of all texts a chunk at a time: noisy copies of
  // one text have much the same words there, and their rows stay in the first-level cache.
  static void run(const CnnFilters::Shape& shape, const CnnTexts& texts, std::byte* scratch) {
    CnnWindows windows(shape, texts, reinterpret_cast<float*>(scratch));
    int longest = 0;
    for (int k = 0; k < texts.count; ++k)
      if (texts.lengths[k] > longest) longest = texts.lengths[k];
    for (int block = 0; block < shape.padded / A::kLanes; ++block)
      for (int begin = 0; begin < longest; begin += kChunk)
        for (int k = 0; k < texts.count; ++k)
          if (texts.lengths[k] > begin) windows.chunk(block, k, begin);
  }

  // The row is zero before.
  static void make_row(const CnnFilters::Shape& shape, const float* vector, float* row) {
    const float* const zero = row;
    for (int block = 0; block < shape.padded / A::kLanes; ++block)
      rows_plus_product(shape, block, &zero, vector, 1, row + block * kBlock);
  }

 private:
  using F = typename A::F;
  static constexpr int kBlock = kCnnOffsets * A::kLanes;  // floats of a row for a block of filters
  static constexpr int kChunk = 384 / A::kLanes;          // words: 18 KiB of their rows per block

  // The windows of W words that are open after some word, by how many words they have so far, and
  // the largest response among those complete.
  template <int W>
  struct Window {
    F sums[W - 1];
    F best;

    // Minus infinity where no window began: what it adds up to never is a maximum.
    void clear() {
      for (F& sum : sums) sum = A::set1(-__builtin_inff());
      best = A::set1(-__builtin_inff());
    }
    void take(const float* row) {
      best = A::max(best, A::add(sums[W - 2], A::load(row + (W - 1) * A::kLanes)));
#pragma GCC unroll 4
      for (int o = W - 2; o > 0; --o) sums[o] = A::add(sums[o - 1], A::load(row + o * A::kLanes));
      sums[0] = A::load(row);
    }
    // A text of fewer than W words has the one window that began with it.
    void end(int length) {
#pragma GCC unroll 4
      for (int o = 0; o < W - 1; ++o)
        if (length == o + 1) best = sums[o];
    }
    void load(const float* state) {
#pragma GCC unroll 4
      for (int o = 0; o < W - 1; ++o) sums[o] = A::load(state + o * A::kLanes);
      best = A::load(state + (W - 1) * A::kLanes);
    }
    void store(float* state) const {
#pragma GCC unroll 4
      for (int o = 0; o < W - 1; ++o) A::store(state + o * A::kLanes, sums[o]);
      A::store(state + (W - 1) * A::kLanes, best);
    }
  };

  CnnWindows(const CnnFilters::Shape& shape, const CnnTexts& texts, float* scratch)
      : shape_(shape),
        texts_(texts),
        states_(scratch),
        noisy_(scratch + static_cast<ptrdiff_t>(texts.count) * kBlock) {}

  // The words of text k from `begin` on.
  void chunk(int block, int k, int begin) {
    const int length = texts_.lengths[k];
    const int end = length - begin > kChunk ? begin + kChunk : length;
    const float* const* rows = texts_.rows[k] + begin;
    if (texts_.noise != nullptr) {
      rows_plus_product(shape_, block, rows,
                        texts_.noise[k] + static_cast<ptrdiff_t>(begin) * shape_.inputs,
                        end - begin, noisy_);
    }
    float* const state = states_ + static_cast<ptrdiff_t>(k) * kBlock;
    Window<3> three;
    Window<4> four;
    Window<5> five;
    if (begin == 0) {
      three.clear();
      four.clear();
      five.clear();
    } else {
      three.load(state);
      four.load(state + 3 * A::kLanes);
      five.load(state + 7 * A::kLanes);
    }
    const ptrdiff_t at = static_cast<ptrdiff_t>(block) * kBlock;
    for (int s = 0; s < end - begin; ++s) {
      const float* row = texts_.noise != nullptr ? noisy_ + s * kBlock : rows[s] + at;
      three.take(row);
      four.take(row + 3 * A::kLanes);
      five.take(row + 7 * A::kLanes);
    }
    if (end < length) {
      three.store(state);
      four.store(state + 3 * A::kLanes);
      five.store(state + 7 * A::kLanes);
    } else {
      three.end(length);
      four.end(length);
      five.end(length);
      finish(block, k, 0, three.best);
      finish(block, k, 1, four.best);
      finish(block, k, 2, five.best);
    }
  }

  // Adding the bias to the largest response rounds as adding it to all of them would.
  void finish(int block, int k, int width, F best) {
    const int filter = block * A::kLanes;
    const F bias = A::load(shape_.biases + static_cast<ptrdiff_t>(width) * shape_.padded + filter);
    const F feature = A::max(A::add(best, bias), A::set1(0.0f));
    float* const to =
        texts_.features + (static_cast<ptrdiff_t>(k) * 3 + width) * shape_.filters + filter;
    if (filter + A::kLanes <= shape_.filters) {
      A::store(to, feature);
      return;
    }
    float all[A::kLanes];
    A::store(all, feature);
    for (int f = 0; f < shape_.filters - filter; ++f) to[f] = all[f];
  }

  // For a block of filters: the rows of `count` words plus the products of the filters with
  // `inputs` (count, shape.inputs), to out (count, kBlock). Every sum begins with the row and takes
  // the inputs in their order.
  static void rows_plus_product(const CnnFilters::Shape& shape, int block, const float* const* rows,
                                const float* inputs, int count, float* out) {
    for (int column = 0; column < kCnnOffsets; column += A::kColumns) {
      const int first = block * kCnnOffsets + column;
      const Product product = {
          shape.weights + static_cast<ptrdiff_t>(first) * shape.inputs * A::kLanes, shape.inputs,
          static_cast<ptrdiff_t>(first) * A::kLanes, column * A::kLanes};
      int s = 0;
      for (; s + A::kRows <= count; s += A::kRows)
        product.template words<A::kRows>(
            rows + s, inputs + static_cast<ptrdiff_t>(s) * shape.inputs, out + s * kBlock);
      product.template rest<A::kRows - 1>(
          rows + s, inputs + static_cast<ptrdiff_t>(s) * shape.inputs, out + s * kBlock, count - s);
    }
  }

  // kColumns vectors of R rows.
  struct Product {
    const float* weights;  // (terms, kColumns, lanes)
    int terms;
    ptrdiff_t from, to;  // where the vectors begin in a row and in a block of it

    template <int R>
    void words(const float* const* rows, const float* inputs, float* out) const {
      F sums[R][A::kColumns];
      for (int r = 0; r < R; ++r)
        for (int c = 0; c < A::kColumns; ++c) sums[r][c] = A::load(rows[r] + from + c * A::kLanes);
      for (int d = 0; d < terms; ++d) {
        const float* const at = weights + static_cast<ptrdiff_t>(d) * A::kColumns * A::kLanes;
        F weight[A::kColumns];
        for (int c = 0; c < A::kColumns; ++c) weight[c] = A::load(at + c * A::kLanes);
        for (int r = 0; r < R; ++r) {
          const F input = A::set1(inputs[r * static_cast<ptrdiff_t>(terms) + d]);
          for (int c = 0; c < A::kColumns; ++c) sums[r][c] = A::fma(input, weight[c], sums[r][c]);
        }
      }
      for (int r = 0; r < R; ++r)
        for (int c = 0; c < A::kColumns; ++c)
          A::store(out + r * kBlock + to + c * A::kLanes, sums[r][c]);
    }

    template <int R>
    void rest(const float* const* rows, const float* inputs, float* out, int count) const {
      if constexpr (R > 0) {
        if (count == R)
          words<R>(rows, inputs, out);
        else
          rest<R - 1>(rows, inputs, out, count);
      }
    }
  };

  const CnnFilters::Shape& shape_;
  const CnnTexts& texts_;
  float* states_;  // (count, kBlock): the windows of every text between two chunks
  float* noisy_;   // (kChunk, kBlock): the rows of a chunk with their noise
};

}  // namespace
}  // namespace textcrs
