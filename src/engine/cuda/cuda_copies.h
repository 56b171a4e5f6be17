// The noisy copies of a batch on a GPU: drawn there, or carried there.
#pragma once

#include <span>
#include <vector>

#include "engine/cuda/cuda_model.h"
#include "kernels/cuda/draw.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/copy_plan.h"

namespace textcrs {

// A text's samples with what the noise does to it.
struct PlannedText {
  CopyPlan plan;
  SampleRange range;
  std::span<const std::string> own;  // the words of the text's own

  uint64_t copies() const { return range.end - range.begin; }
};

// Memory for one batch at a time, which grows.
class CudaCopies {
 public:
  // The samples of all texts, one text after the other. Until the next call.
  CudaBatch draw(const GpuQueue& queue, std::span<const PlannedText> texts, double sigma);
  CudaBatch upload(const GpuQueue& queue, const CopyView& copies);

  // Memory that a copy takes which needs so many entries.
  static size_t bytes_per_copy(size_t entries);

 private:
  GpuMemory lists_;  // of the plans
  GpuArray<GpuDrawText> texts_;
  GpuArray<int32_t> words_, lengths_, text_of_;
  GpuArray<int64_t> starts_;
  GpuArray<GpuStreamKey> streams_;
};

}  // namespace textcrs
