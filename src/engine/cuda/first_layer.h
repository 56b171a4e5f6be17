// What the first layer makes of words, on a GPU: a row of numbers per word, made once, and rows of
// vectors with a Gaussian on them, made as they come.
#pragma once

#include <span>
#include <vector>

#include "engine/cuda/cuda_model.h"
#include "engine/cuda/cuda_slot_map.h"

namespace textcrs {

// weights (inputs, columns) and start (columns), with the columns of a row in the order in which
// they are read; columns is a multiple of 16.
struct LayerWeights {
  int inputs = 0, columns = 0;
  std::vector<float> weights;
  std::vector<double> start;
};

class FirstLayer {
 public:
  // vectors (words, inputs) on the card, which must outlive it.
  FirstLayer(const GpuQueue& queue, const float* vectors, int words, const LayerWeights& layer);

  const float* table() const { return table_.data(); }  // (words, columns)
  // Row copy * slots + slot is that of a slot of a copy. Until the next call.
  const float* noisy(const GpuQueue& queue, const GpuBf16* vectors, int64_t rows);
  size_t bytes_per_row() const { return static_cast<size_t>(columns_) * sizeof(float); }

 private:
  int inputs_, columns_;
  GpuArray<float> table_, start_, rows_;
  GpuArray<GpuBf16> weights_;
};

// The vectors of the slots of a batch's copies with their Gaussians (kernels/cuda/rows.h), through
// the map of the slots.
class NoisyVectors {
 public:
  NoisyVectors(const GpuQueue& queue, const Classifier& classifier);

  // Those of all words without a Gaussian, through the map.
  const float* of_words() const {
    return words_.data() != nullptr ? words_.data() : vectors_.data();
  }
  const GpuBf16* draw(const GpuQueue& queue, const CudaBatch& batch, int slots);
  size_t bytes_per_row() const {
    return static_cast<size_t>(noisy_stride(inputs_)) * sizeof(GpuBf16) + map_.bytes_per_row();
  }

 private:
  int inputs_;
  CudaSlotMap map_;
  GpuArray<float> vectors_, words_;  // words_: none without a map
  GpuArray<GpuBf16> noisy_;
};

}  // namespace textcrs
