// Rows of numbers that a model's first layer makes of word vectors: of every word once, and of
// noisy vectors as they come.
#pragma once

#include <span>
#include <vector>

#include "kernels/cuda/copies.h"

namespace textcrs {

// Row w of `table` (words, columns) becomes start + weights^T vectors[w]: vectors (words, inputs),
// weights (inputs, columns). Sums in double, in the order of the inputs.
struct GpuWordRows {
  int words = 0, inputs = 0, columns = 0;
  const float *vectors = nullptr, *weights = nullptr;
  const double* start = nullptr;  // (columns)
  float* table = nullptr;
};
void make_word_rows(const GpuQueue& queue, const GpuWordRows& call);

// The key of a Stream (textcrs/base/stream.h) at its first number.
struct GpuStreamKey {
  uint64_t seed;
  uint32_t example, sample, lane;
};

// vector + sigma * noise + mean for every slot of every copy, in bf16 with zeros behind the inputs:
// row copy * slots + slot has noisy_stride(inputs) numbers. The noise of slot s are the numbers s *
// inputs .. of the copy's stream. Slots behind a copy's end are filled with anything finite.
struct GpuNoisyVectors {
  GpuCopies copies;
  const GpuStreamKey* streams = nullptr;  // of each copy
  int slots = 0, inputs = 0;
  const float* vectors = nullptr;  // (words, inputs)
  float sigma = 0;
  const float* mean = nullptr;  // (inputs), or null for nothing
  GpuBf16* noisy = nullptr;
};
constexpr int kMostRowInputs = 768;  // for the shared memory of any card
constexpr int noisy_stride(int inputs) { return (inputs + 15) / 16 * 16; }
void make_noisy_vectors(const GpuQueue& queue, const GpuNoisyVectors& call);

// rows (count, columns) = start + the product of noisy vectors and weights, bf16 into fp32; the
// sums of a row depend on the row alone.
struct GpuNoisyRows {
  int64_t count = 0;
  int inputs = 0, columns = 0;       // columns: a multiple of 16
  const GpuBf16* noisy = nullptr;    // (count, noisy_stride(inputs))
  const GpuBf16* weights = nullptr;  // pack_row_weights()
  const float* start = nullptr;      // (columns)
  float* rows = nullptr;
};
// weights (inputs, columns).
std::vector<GpuBf16> pack_row_weights(int inputs, int columns, std::span<const float> weights);
void make_noisy_rows(const GpuQueue& queue, const GpuNoisyRows& call);

}  // namespace textcrs
