// A dense layer whose products are taken by a matrix unit: 32 rows, 32 terms and 32 outputs at a
// time. A is what dense_rows.h asks for, with terms in bf16; Tiles is what lstm_tiles.h says.
// Internal linkage and no call of the standard library: see lstm_cells.h.
#pragma once

#include "kernels/dense_rows.h"

namespace textcrs {
namespace {

template <typename A, typename Tiles>
class DenseTiles {
 public:
  static size_t scratch_bytes(const Dense::Shape& shape, int rows) {
    const ptrdiff_t groups = (rows + ptrdiff_t{kRows} - 1) / kRows, most = block_groups(shape);
    return static_cast<size_t>((groups < most ? groups : most) * group_size(shape)) * sizeof(H);
  }

  // A block of rows stays in the second-level cache while the panels of weights pass, and a panel
  // meets all of the block before the next one comes.
  static void run(const Dense::Shape& shape, const DenseCall& call, std::byte* scratch) {
    DenseTiles tiles(shape, call, reinterpret_cast<H*>(scratch));
    const ptrdiff_t rows = block_groups(shape) * kRows;
    for (ptrdiff_t first = 0; first < call.rows; first += rows)
      tiles.block(first, call.rows - first < rows ? call.rows - first : rows);
  }

  static constexpr int kPanel = 32, kTerms = 32;
  static constexpr DenseKernel kKernel = {kPanel, kTerms, scratch_bytes, run};

 private:
  using H = typename A::H;
  using Rows = DenseRows<A>;
  static constexpr int kRows = 16;  // of a register
  static constexpr ptrdiff_t kBlockBytes = ptrdiff_t{256} * 1024;
  static_assert(Rows::kLine == kTerms && kRows % A::kLanes == 0);

  // Terms of 16 rows, and how many such groups a block has: an even number.
  static ptrdiff_t group_size(const Dense::Shape& shape) { return Rows::row_size(shape) * kRows; }
  static ptrdiff_t block_groups(const Dense::Shape& shape) {
    const ptrdiff_t pair = 2 * group_size(shape) * static_cast<ptrdiff_t>(sizeof(H));
    return pair < kBlockBytes ? 2 * (kBlockBytes / pair) : 2;
  }

  // Up to 32 rows and a panel whose sums are there.
  struct Sums {
    ptrdiff_t row;
    int count, panel;
  };

  DenseTiles(const Dense::Shape& shape, const DenseCall& call, H* packed)
      : shape_(shape), call_(call), packed_(packed) {}

  void block(ptrdiff_t first, ptrdiff_t count) {
    for (ptrdiff_t r = 0; r < count; r += kRows)
      Rows::pack(shape_, call_, first + r, static_cast<int>(count - r < kRows ? count - r : kRows),
                 kRows, packed_ + r * Rows::row_size(shape_));
    for (int panel = 0; panel < shape_.panels; ++panel)
      for (ptrdiff_t r = 0; r < count; r += ptrdiff_t{2} * kRows)
        step(packed_ + r * Rows::row_size(shape_),
             {first + r,
              static_cast<int>(count - r < ptrdiff_t{2} * kRows ? count - r : ptrdiff_t{2} * kRows),
              panel});
    finish();
  }

  // The matrix unit works on these sums while the vector unit finishes those before.
  void step(const H* rows, const Sums& sums) {
    float* const to = sums_[1 - turn_];
    for (int r = 0; r < sums.count; ++r)
      Rows::expect(call_, sums.row + r, sums.panel * kPanel, kPanel);
    if (sums.count > kRows)
      multiply<true>(rows, sums.panel, to);
    else
      multiply<false>(rows, sums.panel, to);
    finish();
    turn_ = 1 - turn_;
    pending_ = sums;
  }

  // Registers 0 to 3 are the sums of the upper rows and, if there are any, the lower; 4 and 5 are
  // the rows, 6 and 7 are weights.
  template <bool lower>
  void multiply(const H* rows, int panel, float* to) {
    const H* weights =
        static_cast<const H*>(shape_.weights) + ptrdiff_t{panel} * shape_.terms * kPanel;
    const ptrdiff_t group = group_size(shape_);
    constexpr ptrdiff_t kWeightStride = size_t{2} * kPanel * sizeof(H),
                        kStride = kPanel * sizeof(float);
    tiles_.template zero<0>();
    tiles_.template zero<1>();
    tiles_.template zero<2>();
    tiles_.template zero<3>();
    for (int term = 0; term < shape_.terms; term += kTerms) {
      tiles_.template load<6>(weights, kWeightStride);
      tiles_.template load<4>(rows, kTerms * sizeof(H));
      tiles_.template load<7>(weights + kPanel, kWeightStride);
      tiles_.template dot<0, 4, 6>();
      tiles_.template dot<1, 4, 7>();
      if constexpr (lower) {
        tiles_.template load<5>(rows + group, kTerms * sizeof(H));
        tiles_.template dot<2, 5, 6>();
        tiles_.template dot<3, 5, 7>();
      }
      rows += kRows * kTerms;
      weights += kTerms * kPanel;
    }
    tiles_.template store<0>(to, kStride);
    tiles_.template store<1>(to + kRows, kStride);
    if constexpr (lower) {
      tiles_.template store<2>(to + ptrdiff_t{kRows} * kPanel, kStride);
      tiles_.template store<3>(to + ptrdiff_t{kRows} * kPanel + kRows, kStride);
    }
  }

  void finish() {
    for (int r = 0; r < pending_.count; ++r)
      Rows::finish(shape_, call_, pending_.row + r, pending_.panel * kPanel, kPanel,
                   sums_[turn_] + ptrdiff_t{r} * kPanel);
    pending_.count = 0;
  }

  const Dense::Shape& shape_;
  const DenseCall& call_;
  H* packed_;
  Tiles tiles_;
  Sums pending_ = {0, 0, 0};  // in sums_[turn_]
  int turn_ = 0;
  alignas(64) float sums_[2][2 * kRows * kPanel];
};

}  // namespace
}  // namespace textcrs
