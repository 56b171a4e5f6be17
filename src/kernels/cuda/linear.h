// Whole numbers that words, and windows of neighbouring words, add to the scores of classes (a
// `linear` model), on a GPU.
#pragma once

#include "kernels/cuda/copies.h"

namespace textcrs {

struct GpuLinear {
  int classes = 0;
  const int32_t *table = nullptr, *bias = nullptr;  // (words, classes), (classes)
  bool presence = false;                            // a word counts once per copy
  // Of windows of 2 words, of 3: (window_rows, classes) each; null where they add nothing.
  const int32_t* windows[2] = {};
  uint64_t window_rows = 0;
};

// scores (copies, classes); the sums are exact.
void run_linear(const GpuQueue& queue, const GpuLinear& linear, const GpuCopies& copies,
                double* scores);

}  // namespace textcrs
