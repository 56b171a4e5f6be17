// The operations between BERT's dense layers on a GPU.
#pragma once

#include "kernels/cuda/gpu.h"

namespace textcrs {

// LayerNorm(x + residual) of each row; sums in fp32.
struct GpuAddNorm {
  int64_t rows = 0;
  int width = 0;  // a multiple of 8, at most 1024
  const GpuBf16 *x = nullptr, *residual = nullptr;
  const float *gain = nullptr, *shift = nullptr;
  float epsilon = 0;
  GpuBf16* output = nullptr;  // may be x or residual
};
void run_on_gpu(const GpuQueue& queue, const GpuAddNorm& call);

// Softmax attention of many packed sequences. A sequence's result depends on it alone, bit by bit.
struct GpuAttention {
  int sequences = 0;  // at most 65535
  int heads = 0;
  int head_size = 0;                // 32 or 64
  float scale = 0;                  // of a score
  int longest = 0;                  // no sequence has more keys
  const int32_t* starts = nullptr;  // (sequences + 1), of the keys
  bool first_only = false;          // a query per sequence, not one per key
  const GpuBf16 *queries = nullptr, *keys = nullptr, *values = nullptr;
  int64_t query_stride = 0, key_stride = 0;  // from row to row; multiples of 8; values' as keys'
  GpuBf16* output = nullptr;                 // (queries, heads * head_size)
};
void run_on_gpu(const GpuQueue& queue, const GpuAttention& call);

// Row i of `to` becomes the first row of sequence i.
struct GpuFirstRows {
  int sequences = 0;
  int width = 0;  // a multiple of 8
  const int32_t* starts = nullptr;
  const GpuBf16* from = nullptr;
  GpuBf16* to = nullptr;
};
void run_on_gpu(const GpuQueue& queue, const GpuFirstRows& call);

// scores (rows, classes) = bias + weights tanh(features); sums in double.
struct GpuTanhHead {
  int rows = 0, width = 0, classes = 0;
  const float* features = nullptr;  // (rows, width)
  const float *weights = nullptr, *bias = nullptr;
  double* scores = nullptr;
};
void run_on_gpu(const GpuQueue& queue, const GpuTanhHead& call);

}  // namespace textcrs
