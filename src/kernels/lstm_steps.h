// An LSTM whose products are taken vector by vector, for one architecture A: what lstm_cells.h asks
// of it, and
//   kTerms                  how many states a product takes at a time
//   broadcast(h)            the kTerms states at h, for product()
//   weights(p, i)           the i-th vector of weights at p
//   product(a, w, sum)      sum + the product of broadcast states and weights
// The gates of kRows sequences are kept in registers together. Internal linkage and no call of the
// standard library: see lstm_cells.h.
#pragma once

#include "kernels/lstm_cells.h"

namespace textcrs {
namespace {

template <typename A>
class LstmSteps {
 public:
  static void run(const Lstm::Shape& shape, const LstmSequences& sequences, std::byte* scratch) {
    LstmCells<A> cells(shape, sequences, scratch);
    LstmSteps steps(cells);
    cells.run([&](int s, int active) {
      for (int block = 0; block < cells.blocks(); ++block) {
        int k = 0;
        for (; k + A::kRows <= active; k += A::kRows) steps.template rows<A::kRows>(s, block, k);
        steps.template rest<A::kRows - 1>(s, block, k, active - k);
      }
    });
  }

  static constexpr LstmKernel kKernel = {A::kLanes, A::kTerms, LstmCells<A>::scratch_bytes,
                                         LstmCells<A>::record_bytes, run};

 private:
  using F = typename A::F;
  using H = typename A::H;

  explicit LstmSteps(LstmCells<A>& cells) : cells_(cells) {}

  template <int R>
  void rest(int s, int block, int k, int count) {
    if constexpr (R > 0) {
      if (count == R)
        rows<R>(s, block, k);
      else
        rest<R - 1>(s, block, k, count);
    }
  }

  // One step of R sequences from the k-th on, for one block of units.
  template <int R>
  void rows(int s, int block, int k) {
    F gates[R][4];
    for (int r = 0; r < R; ++r)
      for (int g = 0; g < 4; ++g)
        gates[r][g] = A::load(cells_.rows(k)[r] + (4 * block + g) * A::kLanes);
    // In one loop the compiler would keep sums in memory.
    const Lstm::Shape& shape = cells_.shape();
    const int hidden = shape.hidden_terms;
    if (s > 0)
      multiply<R>(cells_.states(k), cells_.state_stride(), cells_.weights(block, 0), hidden, gates);
    if (shape.inputs > 0)
      multiply<R>(cells_.states(k) + hidden, cells_.state_stride(), cells_.weights(block, hidden),
                  shape.input_terms, gates);
    cells_.activate(s, block, k, gates);
  }

  template <int R>
  static void multiply(const H* states, ptrdiff_t stride, const H* weights, int terms,
                       F (&gates)[R][4]) {
    for (int term = 0; term < terms; term += A::kTerms, weights += A::kTerms * 4 * A::kLanes) {
      const auto w0 = A::weights(weights, 0), w1 = A::weights(weights, 1),
                 w2 = A::weights(weights, 2), w3 = A::weights(weights, 3);
      for (int r = 0; r < R; ++r) {
        const auto state = A::broadcast(states + r * stride + term);
        gates[r][0] = A::product(state, w0, gates[r][0]);
        gates[r][1] = A::product(state, w1, gates[r][1]);
        gates[r][2] = A::product(state, w2, gates[r][2]);
        gates[r][3] = A::product(state, w3, gates[r][3]);
      }
    }
  }

  LstmCells<A>& cells_;
};

}  // namespace
}  // namespace textcrs
