// One direction of an LSTM layer over many sequences at a time, max-pooled over the steps.
//
// The input half of the layer is not computed here: what a step adds to its gates comes ready made,
// as a row of pre-activations. A row has 4 numbers per unit, in blocks of lanes() units: first the
// input gates of the block, then the forget gates, the cell candidates and the output gates. They
// are scaled by -log2(e) (candidates by -2 log2(e)), so that 2^x is all the activations need; so
// are the weights.
//
// What becomes of a sequence depends on the sequence alone: every sum is taken in one fixed order,
// whatever the other sequences are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/aligned.h"
#include "textcrs/kernels/isa.h"

namespace textcrs {

// Sequences in the order of falling length. Plain pointers: the kernels call nothing.
struct LstmSequences {
  int count = 0;
  const int* lengths = nullptr;  // at least 1 each, and above `first`
  // The pre-activations of step s of sequence k are at rows[k][s * stride].
  const float* const* const* rows = nullptr;
  std::ptrdiff_t stride = 1;
  // With inputs() > 0: called with `context` to write the inputs() numbers that step s of sequence
  // k multiplies with weight_ih, beside its row.
  void (*input)(void* context, int k, int s, float* out) = nullptr;
  void* context = nullptr;
  float* pooled = nullptr;  // (count, units()), the maxima of the hidden states; out
  // They may go on from step `first`, where records of other sequences ended, and leave records of
  // their own (then all have the same length, and `pooled` may be null). A record is
  // record_bytes() long, at a multiple of 64 bytes.
  int first = 0;
  const std::byte* const* starts = nullptr;  // (count), with first > 0
  std::byte* const* ends = nullptr;          // (count), or null
};

struct LstmKernel;

class Lstm {
 public:
  // weight_hh (4 units, units) and weight_ih (4 units, inputs; or empty) as in PyTorch, gates in
  // the order i, f, g, o. In bf16 the weights, the hidden states and the inputs are rounded before
  // they are multiplied. The ISA has to be available and to know the precision.
  Lstm(Isa isa, Precision precision, int units, std::span<const float> weight_hh,
       std::span<const float> weight_ih = {});
  // With a kernel that outlives it.
  Lstm(const LstmKernel& kernel, Precision precision, int units, std::span<const float> weight_hh,
       std::span<const float> weight_ih = {});

  int units() const { return shape_.units; }
  int inputs() const { return shape_.inputs; }
  int lanes() const { return shape_.lanes; }
  int row_size() const { return 4 * shape_.padded; }
  // Brings the pre-activations (4 units, the gates one after the other) of a step into a row.
  void make_row(std::span<const float> gates, float* row) const;

  // Of the state between two steps, and the maxima so far (units) in it.
  size_t record_bytes() const;
  const float* maxima_in(const std::byte* record) const;

  // Thread-safe; `scratch` belongs to the caller and grows to what the kernel needs.
  void run(const LstmSequences& sequences, AlignedBytes& scratch) const;

  // What the kernels of all ISAs know of the layer.
  struct Shape {
    int units = 0, inputs = 0;
    int lanes = 0;   // units in a block
    int padded = 0;  // units, a multiple of lanes
    bool round_to_bf16 = false;
    // Weights for unit block b, term k of the sums (hidden units, then inputs), gate g and lane l
    // at
    // ((b * terms + k) * 4 + g) * lanes + l. Kernels with dot products of pairs have the terms k
    // and k + 1 next to each other: (((b * terms / 2 + k / 2) * 4 + g) * lanes + l) * 2 + k % 2.
    const void* weights = nullptr;
    int hidden_terms = 0, input_terms = 0;  // rounded up to what the kernel takes at a time
  };

 private:
  void pack(std::span<const float> weight_hh, std::span<const float> weight_ih);

  const LstmKernel* kernel_;
  Shape shape_;
  AlignedBytes packed_;
};

// One per kernel: bytes of scratch memory for so many sequences, and the run.
struct LstmKernel {
  int lanes;
  int terms_at_a_time;  // 1, or how many bf16 a dot product takes
  size_t (*scratch_bytes)(const Lstm::Shape& shape, int count);
  size_t (*record_bytes)(const Lstm::Shape& shape);
  void (*run)(const Lstm::Shape& shape, const LstmSequences& sequences, std::byte* scratch);
};
const LstmKernel& lstm_portable();
const LstmKernel& lstm_avx2();
const LstmKernel& lstm_avx512();
const LstmKernel& lstm_avx512_bf16();
const LstmKernel& lstm_amx();

}  // namespace textcrs
