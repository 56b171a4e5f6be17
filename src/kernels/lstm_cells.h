// What an LSTM keeps of its sequences from step to step, and the activations; for one vector
// architecture A. Included by the file of each, which is compiled for it: everything here has
// internal linkage, and nothing of the standard library is called, so that no code for a newer CPU
// can take the place of an older one's in the linked program.
//
// A has
//   F, kLanes               a vector of floats
//   H                       what hidden states and inputs are kept as
//   kRows                   sequences that are computed together
//   load store set1 add sub mul fma max   (fma(a, b, c) = a b + c)
//   exp2(x)                 2^min(x, 40), of any finite x; relative error below 2e-7 down to -40,
//                           and below 2^-39 beyond
//   reciprocal(x)           of 1 <= x < 2^126, relative error below 2e-7
//   state_of(x, round)      a number as an H
//   store_state(h, x, unit, round)   x becomes the states of the units from `unit` on
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
    inputs_ = reinterpret_cast<H*>(scratch + 2 * layout.states);
    cell_ = reinterpret_cast<float*>(scratch + 2 * layout.states + layout.inputs);
    best_ = cell_ + sequences.count * static_cast<ptrdiff_t>(shape.padded);
    draft_ = best_ + sequences.count * static_cast<ptrdiff_t>(shape.padded);
    // Read but not written: terms beyond the units, rows beyond the sequences.
    __builtin_memset(scratch, 0, 2 * layout.states + layout.inputs);
    if (sequences.first > 0)
      for (int k = 0; k < sequences.count; ++k) read_record(k);
  }

  // Calls step(s, active) for every step s, which the first `active` sequences have; it has to
  // activate() each block of each of them. Pools what comes of it.
  template <typename Step>
  void run(Step step) {
    int active = sequences_.count;
    for (int s = sequences_.first; s < sequences_.lengths[0]; ++s) {
      while (sequences_.lengths[active - 1] <= s) --active;
      if (shape_.inputs > 0) read_inputs(s, active);
      step(s, active);
      H* const previous = state_;
      state_ = next_;
      next_ = previous;
    }
    for (int k = 0; k < sequences_.count && sequences_.ends != nullptr; ++k) write_record(k);
    for (ptrdiff_t k = 0; k < sequences_.count && sequences_.pooled != nullptr; ++k)
      __builtin_memcpy(sequences_.pooled + k * shape_.units, best_ + k * shape_.padded,
                       static_cast<size_t>(shape_.units) * sizeof(float));
  }

  const Lstm::Shape& shape() const { return shape_; }
  int blocks() const { return shape_.padded / A::kLanes; }
  // The hidden states of sequence k before the step, state_stride() apart, and its inputs,
  // input_terms apart. Those of kRows sequences can be read from any multiple of kRows on.
  const H* states(int k) const { return state_ + k * state_size_; }
  ptrdiff_t state_stride() const { return state_size_; }
  const H* inputs(int k) const { return inputs_ + k * static_cast<ptrdiff_t>(shape_.input_terms); }
  // The 4 kLanes pre-activations of a block that the step of sequence k comes with.
  const float* row(int s, int block, int k) const {
    return sequences_.rows[k][s * sequences_.stride] + block * (4 * A::kLanes);
  }
  // The weights of a block from a term on.
  const H* weights(int block, int term) const {
    return static_cast<const H*>(shape_.weights) +
           (block * static_cast<ptrdiff_t>(shape_.hidden_terms + shape_.input_terms) + term) *
               (4 * A::kLanes);
  }

  // One step of R sequences from the k-th on for one block of units, given the pre-activations.
  // With i = 2^gates[0] and so on: sigmoid = 1 / (1 + 2^x), tanh = (1 - 2^x) / (1 + 2^x). That
  // exponents are cut changes an activation by less than 2^-39 and keeps products finite. Two
  // loops: each sequence is a chain of dependent instructions, and short chains overlap better.
  template <int R>
  void activate(int s, int block, int k, const F (&gates)[R][4]) {
    const ptrdiff_t unit = block * A::kLanes;
    float* const cell = cell_ + k * static_cast<ptrdiff_t>(shape_.padded) + unit;
    float* const best = best_ + k * static_cast<ptrdiff_t>(shape_.padded) + unit;
    const F one = A::set1(1.0f);
    F c[R], output[R];
    for (int r = 0; r < R; ++r) {
      const F i = A::exp2(gates[r][0]), f = A::exp2(gates[r][1]);
      const F g = A::exp2(gates[r][2]);
      const F written = A::mul(A::add(one, i), A::add(one, g)), forget = A::add(one, f);
      const F candidate = A::sub(one, g);
      float* const at = cell + r * static_cast<ptrdiff_t>(shape_.padded);
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
      float* const at = best + r * static_cast<ptrdiff_t>(shape_.padded);
      A::store(at, s > 0 ? A::max(A::load(at), hidden) : hidden);
      A::store_state(next_ + (k + r) * state_size_, hidden, unit, shape_.round_to_bf16);
    }
  }

 private:
  struct Layout {
    Layout(const Lstm::Shape& shape, int sequences) {
      const auto count = static_cast<size_t>(sequences);
      const size_t rows = (count + A::kRows - 1) / A::kRows * A::kRows;
      const auto lines = [](size_t size) { return (size + 63) / 64 * 64; };
      states = lines(rows * static_cast<size_t>(state_size(shape)) * sizeof(H));
      inputs = lines(rows * static_cast<size_t>(shape.input_terms) * sizeof(H));
      bytes = 2 * states + inputs +
              lines((2 * count * static_cast<size_t>(shape.padded) +
                     static_cast<size_t>(shape.inputs)) *
                    sizeof(float));
    }
    size_t states, inputs, bytes;
  };

  // Whole vectors are stored, and whole groups of terms are read.
  static int state_size(const Lstm::Shape& shape) {
    return shape.padded > shape.hidden_terms ? shape.padded : shape.hidden_terms;
  }

  static size_t state_bytes(const Lstm::Shape& shape) {
    return (static_cast<size_t>(state_size(shape)) * sizeof(H) + 63) / 64 * 64;
  }
  size_t padded_bytes() const { return static_cast<size_t>(shape_.padded) * sizeof(float); }

  void read_record(int k) {
    const std::byte* const record = sequences_.starts[k];
    __builtin_memcpy(state_ + k * state_size_, record,
                     static_cast<size_t>(state_size_) * sizeof(H));
    const ptrdiff_t at = k * static_cast<ptrdiff_t>(shape_.padded);
    __builtin_memcpy(cell_ + at, record + state_bytes(shape_), padded_bytes());
    __builtin_memcpy(best_ + at, record + state_bytes(shape_) + padded_bytes(), padded_bytes());
  }

  void write_record(int k) const {
    std::byte* const record = sequences_.ends[k];
    __builtin_memcpy(record, state_ + k * state_size_,
                     static_cast<size_t>(state_size_) * sizeof(H));
    const ptrdiff_t at = k * static_cast<ptrdiff_t>(shape_.padded);
    __builtin_memcpy(record + state_bytes(shape_), cell_ + at, padded_bytes());
    __builtin_memcpy(record + state_bytes(shape_) + padded_bytes(), best_ + at, padded_bytes());
  }

  void read_inputs(int s, int active) {
    for (int k = 0; k < active; ++k) {
      sequences_.input(sequences_.context, k, s, draft_);
      H* const to = inputs_ + k * static_cast<ptrdiff_t>(shape_.input_terms);
      for (int i = 0; i < shape_.inputs; ++i) to[i] = A::state_of(draft_[i], shape_.round_to_bf16);
    }
  }

  const Lstm::Shape& shape_;
  const LstmSequences& sequences_;
  const ptrdiff_t state_size_;
  H* state_;      // (count, state_size): hidden states before the step
  H* next_;       // and after it
  H* inputs_;     // (count, input_terms)
  float* cell_;   // (count, padded)
  float* best_;   // (count, padded)
  float* draft_;  // (inputs)
};

}  // namespace
}  // namespace textcrs
