// Scaled dot-product attention over one sequence at a time, all heads of a layer:
// softmax(q k^T / sqrt(head_size)) v.
//
// What a row becomes depends on its sequence alone, bit by bit, and not on how many rows ask: every
// sum is taken in one fixed order, over the head's numbers in a score and over the keys from the
// first to the last in an output.
#pragma once

#include <cstddef>

#include "kernels/aligned.h"
#include "textcrs/kernels/isa.h"

namespace textcrs {

struct AttentionCall {
  int length = 0;   // rows of the sequence, at least 1
  int queries = 0;  // the first so many rows ask: 1 .. length
  // (length, 3 * width): queries, keys, values side by side, in each the heads one after the other.
  const float* qkv = nullptr;
  std::ptrdiff_t stride = 0;  // from row to row, at least 3 * width
  float* output = nullptr;    // (queries, width), apart from qkv
  std::ptrdiff_t output_stride = 0;
};

struct AttentionKernel;

class Attention {
 public:
  // In bf16 the queries (times log2(e) / sqrt(head_size)), keys, values and the exponentials of the
  // scores are rounded before they are multiplied or added up. The ISA has to be available and to
  // know the precision; `head_size` is a multiple of 8.
  Attention(Isa isa, Precision precision, int heads, int head_size);

  int width() const { return shape_.heads * shape_.head_size; }

  // Thread-safe; `scratch` belongs to the caller and grows to what the kernel needs.
  void run(const AttentionCall& call, AlignedBytes& scratch) const;

  // What the kernels of all ISAs know of the layer.
  struct Shape {
    int heads = 0, head_size = 0;
    float scale = 0;  // of the queries
    bool round_to_bf16 = false;
  };

 private:
  const AttentionKernel* kernel_;
  Shape shape_;
};

// One per kernel: bytes of scratch memory for sequences of a length, and the run.
struct AttentionKernel {
  size_t (*scratch_bytes)(const Attention::Shape& shape, int length);
  void (*run)(const Attention::Shape& shape, const AttentionCall& call, std::byte* scratch);
};
const AttentionKernel& attention_portable();
const AttentionKernel& attention_avx2();
const AttentionKernel& attention_avx512();
const AttentionKernel& attention_avx512_bf16();

}  // namespace textcrs
