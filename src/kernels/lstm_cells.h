// What an LSTM keeps of its sequences from step to step, and the activations; for one vector
// architecture A. Included by the file of each, which is compiled for it: everything here has
// internal linkage, and nothing of the standard library is called, so that no code for a newer CPU
// can take the place of an older one's in the linked program.
//
// A has
//   F, kLanes               a vector of floats
//   H                       what hidden states and inputs are kept as
//   kRows                   sequences that are computed together
//   load store set1 add mul fma max   (fma(a, b, c) = a b + c)
//   state_of(x, round)      a number as an H
//   store_state(h, x, unit, round)   x becomes the states of the units from `unit` on
// and, for activate(), sub and
//   exp2(x)                 2^min(x, 40), of any finite x; relative error below 2e-7 down to -40,
//                           and below 2^-39 beyond
//   reciprocal(x)           of 1 <= x < 2^126, relative error below 2e-7
#pragma once

#include "kernels/lstm.h"

namespace textcrs {
namespace {

template <typename A>
class LstmCells {
 public:
  using F = typename A::F;
  using H = typename A::H;

  static size_t scratch_bytes(const Lstm::Shape& shape, int count) {
    return Layout(shape, count).bytes;
  }

  // The states, the cells and the maxima of one sequence, one after the other.
  static size_t record_bytes(const Lstm::Shape& shape) {
    return state_bytes(shape) + 2 * static_cast<size_t>(shape.padded) * sizeof(float);
  }

  LstmCells(const Lstm::Shape& shape, const LstmSequences& sequences, std::byte* scratch)
      : shape_(shape), sequences_(sequences), state_size_(state_size(shape)) {
    const Layout layout(shape, sequences.count);
    state_ = reinterpret_cast<H*>(scratch);
    next_ = reinterpret_cast<H*>(scratch + layout.states);
    cell_ = reinterpret_cast<float*>(scratch + 2 * layout.states);
    draft_ = cell(blocks(), 0);
    rows_ = reinterpret_cast<const float**>(scratch + layout.rows);
    // Read but not written: terms beyond the units, rows beyond the sequences.
    __builtin_memset(scratch, 0, 2 * layout.states);
    for (int k = 0; k < sequences.count; ++k)
      if (sequences.first > 0)
        read_record(k);
      else
        clear(k);
  }

  // Calls step(s, active) for every step s, which the first `active` sequences have; it has to
  // bring their cells, maxima and hidden states a step further. Pools what comes of it.
  template <typename Step>
  void run(Step step) {
    int active = sequences_.count;
    for (int s = sequences_.first; s < sequences_.lengths[0]; ++s) {
      while (sequences_.lengths[active - 1] <= s) --active;
      for (int k = 0; k < active; ++k) rows_[k] = sequences_.rows[k][s * sequences_.stride];
      for (int k = 0; k < kAhead; ++k) rows_[active + k] = rows_[0];
      if (shape_.inputs > 0) read_inputs(s, active);
      step(s, active);
      H* const previous = state_;
      state_ = next_;
      next_ = previous;
    }
    for (int k = 0; k < sequences_.count && sequences_.ends != nullptr; ++k) write_record(k);
    for (int k = 0; k < sequences_.count && sequences_.pooled != nullptr; ++k)
      for (int unit = 0; unit < shape_.units; ++unit)
        sequences_.pooled[k * static_cast<ptrdiff_t>(shape_.units) + unit] =
            cell(unit / A::kLanes, k)[A::kLanes + unit % A::kLanes];
  }

  const Lstm::Shape& shape() const { return shape_; }
  int blocks() const { return shape_.padded / A::kLanes; }
  // What the weights of a step are multiplied with, from this term on to terms(): the hidden states
  // and the inputs. Before the first step the states are 0.
  int first_term(int s) const { return s > 0 ? 0 : shape_.hidden_terms; }
  int terms() const { return shape_.hidden_terms + shape_.input_terms; }
  // The first term of sequence k; its next one's is state_stride() further. Those of kRows
  // sequences can be read from any multiple of kRows on.
  const H* states(int k) const { return state_ + k * state_size_; }
  ptrdiff_t state_stride() const { return state_size_; }
  // The pre-activations that the steps of the sequences from the k-th on come with, 4 kLanes for
  // each block. Some row follows the last one's, kAhead times.
  static constexpr int kAhead = 2;
  const float* const* rows(int k) const { return rows_ + k; }
  // The weights of a block from a term on.
  const H* weights(int block, int term) const {
    return static_cast<const H*>(shape_.weights) +
           (block * static_cast<ptrdiff_t>(terms()) + term) * (4 * A::kLanes);
  }

  // The cells of a block and of sequence k, then the maxima; then those of sequence k + 1. Before
  // the first step, zeros and less than any hidden state.
  float* cell(int block, int k) const {
    return cell_ + (block * static_cast<ptrdiff_t>(sequences_.count) + k) * (2 * A::kLanes);
  }
  // The hidden states of sequence k after the step.
  H* next_states(int k) const { return next_ + k * state_size_; }

  // One step of R sequences from the k-th on for one block of units, given the pre-activations.
  // With i = 2^gates[0] and so on: sigmoid = 1 / (1 + 2^x), tanh = (1 - 2^x) / (1 + 2^x). That
  // exponents are cut changes an activation by less than 2^-39 and keeps products finite. Two
  // loops: each sequence is a chain of dependent instructions, and short chains overlap better.
  template <int R>
  void activate(int s, int block, int k, const F (&gates)[R][4]) {
    const F one = A::set1(1.0f);
    F c[R], output[R];
    for (int r = 0; r < R; ++r) {
      const F i = A::exp2(gates[r][0]), f = A::exp2(gates[r][1]);
      const F g = A::exp2(gates[r][2]);
      const F written = A::mul(A::add(one, i), A::add(one, g)), forget = A::add(one, f);
      const F candidate = A::sub(one, g);
      float* const at = cell(block, k + r);
      if (s > 0)
        c[r] = A::mul(A::fma(A::load(at), written, A::mul(candidate, forget)),
                      A::reciprocal(A::mul(written, forget)));
      else
        c[r] = A::mul(candidate, A::reciprocal(written));
      A::store(at, c[r]);
      output[r] = A::add(one, A::exp2(gates[r][3]));
    }
    for (int r = 0; r < R; ++r) {
      const F e = A::exp2(A::mul(c[r], A::set1(-2.8853900817779268f)));
      const F hidden = A::mul(A::sub(one, e), A::reciprocal(A::mul(output[r], A::add(one, e))));
      float* const at = cell(block, k + r) + A::kLanes;
      A::store(at, s > 0 ? A::max(A::load(at), hidden) : hidden);
      A::store_state(next_states(k + r), hidden, block * A::kLanes, shape_.round_to_bf16);
    }
  }

 private:
  struct Layout {
    Layout(const Lstm::Shape& shape, int sequences) {
      const auto count = static_cast<size_t>(sequences);
      const size_t all = (count + A::kRows - 1) / A::kRows * A::kRows;
      const auto lines = [](size_t size) { return (size + 63) / 64 * 64; };
      states = lines(all * static_cast<size_t>(state_size(shape)) * sizeof(H));
      rows = 2 * states + lines((2 * count * static_cast<size_t>(shape.padded) +
                                 static_cast<size_t>(shape.inputs)) *
                                sizeof(float));
      bytes = rows + lines((count + kAhead) * sizeof(const float*));
    }
    size_t states, rows, bytes;
  };

  // Whole vectors are stored, and whole groups of terms are read. What a vector stores where inputs
  // belong is overwritten by the next step's.
  static int state_size(const Lstm::Shape& shape) {
    const int terms = shape.hidden_terms + shape.input_terms;
    return shape.padded > terms ? shape.padded : terms;
  }

  static size_t state_bytes(const Lstm::Shape& shape) {
    return (static_cast<size_t>(state_size(shape)) * sizeof(H) + 63) / 64 * 64;
  }

  void clear(int k) {
    for (int block = 0; block < blocks(); ++block)
      for (int unit = 0; unit < A::kLanes; ++unit) {
        cell(block, k)[unit] = 0;
        cell(block, k)[A::kLanes + unit] = -2;
      }
  }

  void read_record(int k) {
    const std::byte* const record = sequences_.starts[k];
    __builtin_memcpy(state_ + k * state_size_, record,
                     static_cast<size_t>(state_size_) * sizeof(H));
    const auto* const numbers = reinterpret_cast<const float*>(record + state_bytes(shape_));
    for (int block = 0; block < blocks(); ++block) {
      const float* const from = numbers + block * A::kLanes;
      A::store(cell(block, k), A::load(from));
      A::store(cell(block, k) + A::kLanes, A::load(from + shape_.padded));
    }
  }

  void write_record(int k) const {
    std::byte* const record = sequences_.ends[k];
    __builtin_memcpy(record, state_ + k * state_size_,
                     static_cast<size_t>(state_size_) * sizeof(H));
    auto* const numbers = reinterpret_cast<float*>(record + state_bytes(shape_));
    for (int block = 0; block < blocks(); ++block) {
      float* const to = numbers + block * A::kLanes;
      A::store(to, A::load(cell(block, k)));
      A::store(to + shape_.padded, A::load(cell(block, k) + A::kLanes));
    }
  }

  void read_inputs(int s, int active) {
    for (int k = 0; k < active; ++k) {
      sequences_.input(sequences_.context, k, s, draft_);
      H* const to = state_ + k * state_size_ + shape_.hidden_terms;
      for (int i = 0; i < shape_.inputs; ++i) to[i] = A::state_of(draft_[i], shape_.round_to_bf16);
    }
  }

  const Lstm::Shape& shape_;
  const LstmSequences& sequences_;
  const ptrdiff_t state_size_;
  H* state_;            // (count, state_size): hidden states before the step
  H* next_;             // and after it
  float* cell_;         // (blocks, count, 2, kLanes)
  float* draft_;        // (inputs)
  const float** rows_;  // (count + kAhead)
};

}  // namespace
}  // namespace textcrs
