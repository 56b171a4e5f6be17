// The operations between BERT's matrix products on a GPU, in bf16, where LibTorch's are far from
// what the memory allows. Built where CUDA is; all pointers are to the current GPU's memory, and
// everything runs on its default stream.
#pragma once

#include <cstdint>

namespace textcrs {

using GpuBf16 = uint16_t;  // the bits

// LayerNorm(x + residual) of each row; sums in fp32.
struct GpuAddNorm {
  int64_t rows = 0;
  int width = 0;  // a multiple of 8, at most 1024
  const GpuBf16 *x = nullptr, *residual = nullptr, *gain = nullptr, *shift = nullptr;
  float epsilon = 0;
  GpuBf16* output = nullptr;  // apart from x and residual
};
bool knows(const GpuAddNorm& call);
void run_on_gpu(const GpuAddNorm& call);

// Softmax attention of many packed sequences. A sequence's result depends on it alone.
struct GpuAttention {
  int sequences = 0, heads = 0;
  int head_size = 0;  // 32 or 64
  int longest_query = 0;
  const int32_t *query_starts = nullptr, *key_starts = nullptr;  // (sequences + 1)
  const GpuBf16 *queries = nullptr, *keys = nullptr, *values = nullptr;
  int64_t query_stride = 0, key_stride = 0;  // from row to row; multiples of 8; values' as keys'
  GpuBf16* output = nullptr;                 // (queries, heads * head_size)
};
bool knows(const GpuAttention& call);
void run_on_gpu(const GpuAttention& call);

}  // namespace textcrs
