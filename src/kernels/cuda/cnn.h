// The filters of kernels/cnn.h on a GPU, with the linear head behind them.
//
// A word's row has the 12 numbers of every filter: first those of all filters at the first offset,
// then at the next. Sums are fp32, the words of a window from the first to the last.
#pragma once

#include "kernels/cuda/copies.h"

namespace textcrs {

struct GpuCnn {
  int filters = 0, classes = 0;
  int row_size = 0;                                   // 12 filters, or more
  const float* biases = nullptr;                      // (3, filters)
  const float *head = nullptr, *head_bias = nullptr;  // (classes, 3 filters), (classes)
};

struct GpuCnnRun {
  GpuCopies copies;
  int slots = 0;                // a copy is cut to so many
  const float* rows = nullptr;  // (rows, row_size)
  bool row_per_slot = false;    // row copy * slots + slot is that of a copy's slot; else by word
  double* scores = nullptr;     // (copies, classes); out
};
void run_cnn(const GpuQueue& queue, const GpuCnn& cnn, const GpuCnnRun& run);

}  // namespace textcrs
