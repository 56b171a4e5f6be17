// An LSTM whose products are taken by a matrix unit: 16 sequences, 32 terms and 16 units at a time.
// A is what lstm_cells.h and sigmoid_table.h ask for, with vectors of 16 and states in bf16. An
// object of Tiles holds eight registers of 16 rows of 64 bytes and has
//   zero<T>()               register T becomes 0
//   load<T>(from, stride)   rows `stride` bytes apart
//   store<T>(to, stride)
//   dot<S, X, W>()          S(m, n) += the sum over j < 32 of X(m, j) W(j / 2, 2 n + j % 2);
//                           S holds floats, X and W hold bf16
// Internal linkage and no call of the standard library: see lstm_cells.h.
#pragma once

#include "kernels/lstm_cells.h"
#include "kernels/sigmoid_table.h"

namespace textcrs {
namespace {

template <typename A, typename Tiles>
class LstmTiles {
 public:
  static void run(const Lstm::Shape& shape, const LstmSequences& sequences, std::byte* scratch) {
    LstmCells<A> cells(shape, sequences, scratch);
    LstmTiles steps(cells);
    cells.run([&](int s, int active) { steps.step(s, active); });
  }

  static constexpr int kTerms = 32;
  static constexpr LstmKernel kKernel = {A::kLanes, kTerms, LstmCells<A>::scratch_bytes,
                                         LstmCells<A>::record_bytes, run};

 private:
  using F = typename A::F;
  using H = typename A::H;
  static_assert(A::kLanes == 16 && A::kRows == 16 && sizeof(H) == 2);
  static constexpr int kBlock = 4 * A::kLanes;
  // Cells are kept times this: what a tanh of them wants.
  static constexpr float kCellScale = -2.8853900817779268f;

  // Sequences whose sums are in sums_ and that are to be activated, for one block of units: where
  // the first of them has its parts.
  struct Pending {
    int count;
    const float* const* row;  // its pre-activations, from `offset` on
    ptrdiff_t offset;
    const float* sums;
    float* cell;
    H* state;
    ptrdiff_t state_stride;
  };

  explicit LstmTiles(LstmCells<A>& cells) : cells_(cells) {}

  // While the matrix unit multiplies for 16 sequences, the vector unit activates the 16 before, one
  // after each product: the CPU looks only so far ahead. Registers 0 to 3 are the sums of the
  // gates, 4 is the states, 5 to 7 are weights. Inlined, or with a const table, GCC would read
  // constants from memory again and again.
  [[gnu::noinline]] void step(int s, int active) {
    Sigmoid<A> sigmoid;
    Pending pending = {};
    const int first = cells_.first_term(s);
    const ptrdiff_t stride = cells_.state_stride() * static_cast<ptrdiff_t>(sizeof(H));
    for (int block = 0; block < cells_.blocks(); ++block)
      for (int k = 0; k < active; k += A::kRows) {
        tiles_.template zero<0>();
        tiles_.template zero<1>();
        tiles_.template zero<2>();
        tiles_.template zero<3>();
        const H* weights = cells_.weights(block, first);
        const H* const end = cells_.states(k) + cells_.terms();
        for (const H* states = cells_.states(k) + first; states < end;
             states += kTerms, weights += kTerms * kBlock) {
          constexpr ptrdiff_t kStride = ptrdiff_t{2} * kBlock * sizeof(H);
          tiles_.template load<4>(states, stride);
          tiles_.template load<5>(weights, kStride);
          tiles_.template dot<0, 4, 5>();
          activate_next(sigmoid, pending);
          tiles_.template load<6>(weights + 2 * A::kLanes, kStride);
          tiles_.template dot<1, 4, 6>();
          activate_next(sigmoid, pending);
          tiles_.template load<7>(weights + 4 * A::kLanes, kStride);
          tiles_.template dot<2, 4, 7>();
          activate_next(sigmoid, pending);
          tiles_.template load<5>(weights + 6 * A::kLanes, kStride);
          tiles_.template dot<3, 4, 5>();
          activate_next(sigmoid, pending);
        }
        while (pending.count > 0) activate_next(sigmoid, pending);
        constexpr ptrdiff_t kStride = kBlock * sizeof(float);
        tiles_.template store<0>(sums_, kStride);
        tiles_.template store<1>(sums_ + A::kLanes, kStride);
        tiles_.template store<2>(sums_ + 2 * A::kLanes, kStride);
        tiles_.template store<3>(sums_ + 3 * A::kLanes, kStride);
        const ptrdiff_t unit = block * A::kLanes;
        pending = {active - k < A::kRows ? active - k : A::kRows,
                   cells_.rows(k),
                   4 * unit,
                   sums_,
                   cells_.cell(block, k),
                   cells_.next_states(k) + unit,
                   cells_.state_stride()};
      }
    while (pending.count > 0) activate_next(sigmoid, pending);
  }

  // The step of one sequence, if there is one left. With y = Sigmoid::beside_half(x), a sigmoid is
  // y + 1/2 and a tanh 2 y.
  [[gnu::always_inline]] static void activate_next(const Sigmoid<A>& sigmoid, Pending& pending) {
    if (pending.count == 0) return;
    const float* const row = *pending.row + pending.offset;
    const float* const soon = pending.row[LstmCells<A>::kAhead] + pending.offset;
    F gates[4];
    for (int g = 0; g < 4; ++g) {
      __builtin_prefetch(soon + g * A::kLanes);
      gates[g] = sigmoid.beside_half(
          A::add(A::load(row + g * A::kLanes), A::load(pending.sums + g * A::kLanes)));
    }
    const F input = A::fma(gates[0], A::set1(2 * kCellScale), A::set1(kCellScale));
    const F forget = A::add(gates[1], A::set1(0.5f));
    const F cell = A::fma(forget, A::load(pending.cell), A::mul(input, gates[2]));
    A::store(pending.cell, cell);
    const F output = A::fma(gates[3], A::set1(2.0f), A::set1(1.0f));
    const F hidden = A::mul(output, sigmoid.beside_half(cell));
    float* const best = pending.cell + A::kLanes;
    A::store(best, A::max(A::load(best), hidden));
    A::store_state(pending.state, hidden, 0, true);
    --pending.count;
    ++pending.row;
    pending.sums += kBlock;
    pending.cell += 2 * A::kLanes;
    pending.state += pending.state_stride;
  }

  LstmCells<A>& cells_;
  Tiles tiles_;
  alignas(64) float sums_[A::kRows * kBlock];
};

}  // namespace
}  // namespace textcrs
