// The map of the slots (src/model/slot_map.h) on a GPU. A row's result depends on the row alone,
// bit by bit.
#pragma once

#include "kernels/cuda/rows.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

class CudaSlotMap {
 public:
  CudaSlotMap(const GpuQueue& queue, const Classifier& classifier);

  const float* mean() const { return mean_.data(); }  // (D), or null

  // In place, rows (rows, noisy_stride(D)) of vectors with their noise and its mean.
  void reconstruct(const GpuQueue& queue, int64_t rows, GpuBf16* vectors);
  size_t bytes_per_row() const;  // of scratch memory

 private:
  // For make_noisy_rows().
  struct Layer {
    int inputs = 0, columns = 0;
    GpuArray<GpuBf16> weights;
    GpuArray<float> start;

    void load(const GpuQueue& queue, const Classifier& classifier, const char* weight,
              const char* bias);
    void run(const GpuQueue& queue, int64_t rows, const GpuBf16* from, float* to) const;
  };

  GpuArray<float> mean_;
  Layer encoder_, decoder_;  // without columns: there are none
  // Of a call.
  GpuArray<float> sums_;
  GpuArray<GpuBf16> hidden_;
};

// The vectors of all words, (words, D), as the network reads them where there is no noise. Sums in
// double.
GpuArray<float> map_words(const GpuQueue& queue, const Classifier& classifier);

// Whether there are kernels for the model's map.
bool cuda_slot_map_runs(const ModelConfig& config);

}  // namespace textcrs
