// An LSTM whose products are taken by a matrix unit: 16 sequences, 32 terms and 16 units at a time.
// A is what lstm_cells.h asks for, with vectors of 16 and states in bf16. An object of Tiles holds
// eight registers of 16 rows of 64 bytes and has
//   zero<T>()               register T becomes 0
//   load<T>(from, stride)   rows `stride` bytes apart
//   store<T>(to, stride)
//   dot<S, X, W>()          S(m, n) += the sum over j < 32 of X(m, j) W(j / 2, 2 n + j % 2); S
//   holds
//                           floats, X and W hold bf16
// Internal linkage and no call of the standard library: see lstm_cells.h.
#pragma once

#include "kernels/lstm_cells.h"

namespace textcrs {
namespace {

template <typename A, typename Tiles>
class LstmTiles {
 public:
  static void run(const Lstm::Shape& shape, const LstmSequences& sequences, std::byte* scratch) {
    LstmCells<A> cells(shape, sequences, scratch);
    LstmTiles steps(cells);
    cells.run([&](int s, int active) {
      for (int block = 0; block < cells.blocks(); ++block)
        for (int k = 0; k < active; k += A::kRows)
          steps.step({s, block, k, active - k < A::kRows ? active - k : A::kRows});
      steps.activate();
    });
  }

  static constexpr int kTerms = 32;
  static constexpr LstmKernel kKernel = {A::kLanes, kTerms, LstmCells<A>::scratch_bytes,
                                         LstmCells<A>::record_bytes, run};

 private:
  using H = typename A::H;
  static_assert(A::kLanes == 16 && A::kRows == 16 && sizeof(H) == 2);
  static constexpr int kBlock = 4 * A::kLanes;

  // A step of `count` sequences from the k-th on, for one block of units.
  struct Rows {
    int s, block, k, count;
  };

  explicit LstmTiles(LstmCells<A>& cells) : cells_(cells) {}

  // The matrix unit works on these rows while the vector unit activates those before.
  void step(const Rows& rows) {
    const Lstm::Shape& shape = cells_.shape();
    tiles_.template zero<0>();
    tiles_.template zero<1>();
    tiles_.template zero<2>();
    tiles_.template zero<3>();
    if (rows.s > 0)
      multiply(cells_.states(rows.k), cells_.state_stride(), cells_.weights(rows.block, 0),
               shape.hidden_terms);
    if (shape.inputs > 0)
      multiply(cells_.inputs(rows.k), shape.input_terms,
               cells_.weights(rows.block, shape.hidden_terms), shape.input_terms);
    float* const sums = sums_[1 - turn_];
    constexpr ptrdiff_t kStride = kBlock * sizeof(float);
    tiles_.template store<0>(sums, kStride);
    tiles_.template store<1>(sums + A::kLanes, kStride);
    tiles_.template store<2>(sums + 2 * A::kLanes, kStride);
    tiles_.template store<3>(sums + 3 * A::kLanes, kStride);
    activate();
    turn_ = 1 - turn_;
    pending_ = rows;
  }

  // Registers 0 to 3 are the sums of the gates, 4 is the states, 5 to 7 are weights.
  void multiply(const H* states, ptrdiff_t stride, const H* weights, int terms) {
    constexpr ptrdiff_t kStride = ptrdiff_t{2} * kBlock * sizeof(H);
    for (int term = 0; term < terms; term += kTerms, weights += kTerms * kBlock) {
      tiles_.template load<4>(states + term, stride * static_cast<ptrdiff_t>(sizeof(H)));
      tiles_.template load<5>(weights, kStride);
      tiles_.template load<6>(weights + 2 * A::kLanes, kStride);
      tiles_.template load<7>(weights + 4 * A::kLanes, kStride);
      tiles_.template dot<0, 4, 5>();
      tiles_.template load<5>(weights + 6 * A::kLanes, kStride);
      tiles_.template dot<1, 4, 6>();
      tiles_.template dot<2, 4, 7>();
      tiles_.template dot<3, 4, 5>();
    }
  }

  void activate() {
    int r = 0;
    for (; r + 4 <= pending_.count; r += 4) activate<4>(r);
    for (; r < pending_.count; ++r) activate<1>(r);
    pending_.count = 0;
  }

  template <int R>
  void activate(int first) {
    const int k = pending_.k + first;
    const float* const sums = sums_[turn_] + first * kBlock;
    typename A::F gates[R][4];
    for (int r = 0; r < R; ++r) {
      const float* const row = cells_.row(pending_.s, pending_.block, k + r);
      for (int g = 0; g < 4; ++g)
        gates[r][g] = A::add(A::load(row + g * A::kLanes),
                             A::load(sums + ptrdiff_t{r} * kBlock + g * A::kLanes));
    }
    cells_.activate(pending_.s, pending_.block, k, gates);
  }

  LstmCells<A>& cells_;
  Tiles tiles_;
  Rows pending_ = {0, 0, 0, 0};  // whose sums are in sums_[turn_]
  int turn_ = 0;
  alignas(64) float sums_[2][A::kRows * kBlock];
};

}  // namespace
}  // namespace textcrs
