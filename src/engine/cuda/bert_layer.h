// The weights of one of BERT's layers on a GPU.
#pragma once

#include <optional>

#include "kernels/cuda/dense.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

// Heads of another size than the kernels' are padded with zeros, which change no score.
struct BertHeads {
  int count = 0;
  int size = 0;    // of the model's
  int padded = 0;  // of the card's: 32 or 64

  explicit BertHeads(const ModelConfig& config);
  int width() const { return count * padded; }
};

struct CudaNorm {
  GpuArray<float> gain, shift;

  // "NAME.weight" and "NAME.bias".
  CudaNorm(const Classifier& classifier, const std::string& name, const GpuQueue& queue);
};

// Of the last layer only the first row of each sequence is asked.
struct CudaBertLayer {
  std::optional<GpuDense> all;                   // queries, keys and values side by side
  std::optional<GpuDense> queries, keys_values;  // of the last layer instead
  GpuDense attended, inner, outer;
  CudaNorm after_attention, after_outer;

  CudaBertLayer(const Classifier& classifier, int layer, const GpuProducts& products,
                const GpuQueue& queue);
};

}  // namespace textcrs
