// A dense layer y = x W^T + b of many rows, with what BERT puts behind it: a GELU or a residual.
//
// What becomes of a row depends on the row alone, bit by bit: every sum is taken in one fixed
// order, however many rows there are and wherever the row stands.
#pragma once

#include <cstddef>
#include <span>

#include "kernels/aligned.h"
#include "textcrs/kernels/isa.h"

namespace textcrs {

// Plain pointers: the kernels call nothing.
struct DenseCall {
  int rows = 0;
  const float* input = nullptr;  // row r at input + r * input_stride, inputs() numbers
  std::ptrdiff_t input_stride = 0;
  float* output = nullptr;  // outputs() numbers per row; may not overlap the input
  std::ptrdiff_t output_stride = 0;
  // Added after the bias (and the GELU); rows of output_stride. May be `output` itself, or null.
  const float* residual = nullptr;
  bool gelu = false;  // y becomes y (1 + erf(y / sqrt 2)) / 2, off by less than 1e-6
};

struct DenseKernel;

class Dense {
 public:
  // weight (outputs, inputs) as in PyTorch and bias (outputs), finite. In bf16 the weights and the
  // inputs are rounded before they are multiplied; all else is fp32. The ISA has to be available
  // and to know the precision.
  Dense(Isa isa, Precision precision, int outputs, int inputs, std::span<const float> weight,
        std::span<const float> bias);
  // With a kernel that outlives it.
  Dense(const DenseKernel& kernel, Precision precision, int outputs, int inputs,
        std::span<const float> weight, std::span<const float> bias);

  int outputs() const { return shape_.outputs; }
  int inputs() const { return shape_.inputs; }

  // Thread-safe; `scratch` belongs to the caller and grows to what the kernel needs. Inputs may be
  // NaN or infinite: then so is, or may be, their row of the output, and no other.
  void run(const DenseCall& call, AlignedBytes& scratch) const;

  // What the kernels of all ISAs know of the layer.
  struct Shape {
    int outputs = 0, inputs = 0;
    int panels = 0;  // of so many outputs as the kernel computes together
    int terms = 0;   // inputs, rounded up to what the kernel multiplies at a time
    bool round_to_bf16 = false;
    // Weights of panel p, term k and output o of the panel at (p * terms + k) * panel + o. Kernels
    // with dot products of pairs have the terms k and k + 1 next to each other:
    // ((p * terms / 2 + k / 2) * panel + o) * 2 + k % 2. Zeros where there is no weight.
    const void* weights = nullptr;
    const float* bias = nullptr;  // (panels * panel)
  };

 private:
  void pack(std::span<const float> weight, std::span<const float> bias);

  const DenseKernel* kernel_;
  Shape shape_;
  AlignedBytes weights_, bias_;
};

// One per kernel: bytes of scratch memory for so many rows, and the run.
struct DenseKernel {
  int panel;            // outputs
  int terms_at_a_time;  // 1, or how many bf16 a dot product takes
  size_t (*scratch_bytes)(const Dense::Shape& shape, int rows);
  void (*run)(const Dense::Shape& shape, const DenseCall& call, std::byte* scratch);
};
const DenseKernel& dense_portable();
const DenseKernel& dense_avx2();
const DenseKernel& dense_avx512();
const DenseKernel& dense_avx512_bf16();
const DenseKernel& dense_amx();

}  // namespace textcrs
