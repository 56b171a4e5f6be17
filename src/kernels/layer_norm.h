// Layer normalization: (x - mean) / sqrt(variance + epsilon) * gain + bias over each row, with the
// biased variance. What a row becomes depends on the row alone, bit by bit.
#pragma once

#include <cstddef>

#include "textcrs/kernels/isa.h"

namespace textcrs {

struct LayerNormCall {
  int rows = 0;   // 0 or more
  int width = 0;  // at least 1
  const float* input = nullptr;
  std::ptrdiff_t input_stride = 0;  // from row to row
  float* output = nullptr;          // may be the input, with its stride
  std::ptrdiff_t output_stride = 0;
  const float* gain = nullptr;  // (width)
  const float* bias = nullptr;  // (width)
  float epsilon = 1e-12f;
};

// The ISA has to be available. Thread-safe.
void layer_norm(Isa isa, const LayerNormCall& call);

// One per kernel.
void layer_norm_portable(const LayerNormCall& call);
void layer_norm_avx2(const LayerNormCall& call);
void layer_norm_avx512(const LayerNormCall& call);

}  // namespace textcrs
