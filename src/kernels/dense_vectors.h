// A dense layer whose products are taken vector by vector, for one architecture A: what
// dense_rows.h asks of it, and
//   kRows, kColumns         rows, and vectors of outputs, whose sums are kept in registers together
//   kTerms                  how many terms a product takes at a time
//   broadcast(h)            the kTerms terms at h, for product()
//   weights(p, i)           the i-th vector of weights at p
//   product(a, w, sum)      sum + the product of broadcast terms and weights
// Internal linkage and no call of the standard library: see lstm_cells.h.
#pragma once

#include "kernels/dense_rows.h"

namespace textcrs {
namespace {

template <typename A>
class DenseVectors {
 public:
  static size_t scratch_bytes(const Dense::Shape& shape, int rows) {
    const int most = block_tiles(shape) * A::kRows;
    return static_cast<size_t>(rows < most ? rows : most) *
           static_cast<size_t>(Rows::row_size(shape)) * sizeof(H);
  }

  // A block of rows stays in the second-level cache while the panels of weights pass, and a panel
  // meets all of the block before the next one comes. All tiles have the same number of rows, give
  // or take one.
  static void run(const Dense::Shape& shape, const DenseCall& call, std::byte* scratch) {
    H* const packed = reinterpret_cast<H*>(scratch);
    const ptrdiff_t rows = call.rows, tiles = (rows + A::kRows - 1) / A::kRows;
    const auto first = [&](ptrdiff_t tile) { return tile * rows / tiles; };
    const ptrdiff_t row_size = Rows::row_size(shape);
    for (ptrdiff_t begin = 0; begin < tiles; begin += block_tiles(shape)) {
      const ptrdiff_t end = begin + block_tiles(shape) < tiles ? begin + block_tiles(shape) : tiles;
      const auto packed_tile = [&](ptrdiff_t tile) {
        return packed + (first(tile) - first(begin)) * row_size;
      };
      for (ptrdiff_t tile = begin; tile < end; ++tile) {
        const int size = static_cast<int>(first(tile + 1) - first(tile));
        Rows::pack(shape, call, first(tile), size, size, packed_tile(tile));
      }
      for (int panel = 0; panel < shape.panels; ++panel)
        for (ptrdiff_t tile = begin; tile < end; ++tile) {
          alignas(64) float sums[A::kRows * kPanel];
          const int size = static_cast<int>(first(tile + 1) - first(tile));
          for (int r = 0; r < size; ++r)
            Rows::expect(call, first(tile) + r, panel * kPanel, kPanel);
          multiply<A::kRows>(shape, size, packed_tile(tile), panel, sums);
          for (int r = 0; r < size; ++r)
            Rows::finish(shape, call, first(tile) + r, panel * kPanel, kPanel, sums + r * kPanel);
        }
    }
  }

  static constexpr int kPanel = A::kColumns * A::kLanes;
  static constexpr DenseKernel kKernel = {kPanel, A::kTerms, scratch_bytes, run};

 private:
  using F = typename A::F;
  using H = typename A::H;
  using Rows = DenseRows<A>;
  static constexpr size_t kBlockBytes = size_t{256} * 1024;

  static int block_tiles(const Dense::Shape& shape) {
    const size_t tile = static_cast<size_t>(Rows::row_size(shape)) * sizeof(H) * A::kRows;
    return tile < kBlockBytes ? static_cast<int>(kBlockBytes / tile) : 1;
  }

  // The products of a tile of `size` rows, R at most, with a panel.
  template <int R>
  static void multiply(const Dense::Shape& shape, int size, const H* rows, int panel, float* sums) {
    if constexpr (R > 1)
      if (size < R) return multiply<R - 1>(shape, size, rows, panel, sums);
    const H* weights =
        static_cast<const H*>(shape.weights) + static_cast<ptrdiff_t>(panel) * shape.terms * kPanel;
    F sum[R][A::kColumns];
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 16
      for (int c = 0; c < A::kColumns; ++c) sum[r][c] = A::set1(0.0f);
    for (int begin = 0; begin < shape.terms; begin += Rows::kLine, rows += R * Rows::kLine) {
      const int count = shape.terms - begin < Rows::kLine ? shape.terms - begin : Rows::kLine;
      for (int term = 0; term < count; term += A::kTerms, weights += A::kTerms * kPanel) {
        decltype(A::weights(weights, 0)) weight[A::kColumns];
#pragma GCC unroll 16
        for (int c = 0; c < A::kColumns; ++c) weight[c] = A::weights(weights, c);
#pragma GCC unroll 16
        for (int r = 0; r < R; ++r) {
          const auto input = A::broadcast(rows + r * Rows::kLine + term);
#pragma GCC unroll 16
          for (int c = 0; c < A::kColumns; ++c) sum[r][c] = A::product(input, weight[c], sum[r][c]);
        }
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < R; ++r)
#pragma GCC unroll 16
      for (int c = 0; c < A::kColumns; ++c)
        A::store(sums + ptrdiff_t{r} * kPanel + ptrdiff_t{c} * A::kLanes, sum[r][c]);
  }
};

}  // namespace
}  // namespace textcrs
