// Noisy copies drawn on a GPU, from the same streams as on the CPU: the same copies, bit by bit.
#pragma once

#include "kernels/cuda/copies.h"
#include "kernels/cuda/rows.h"
#include "kernels/draw_copy.h"

namespace textcrs {

// Some samples of one text. The lists of its plan are on the GPU.
struct GpuDrawText {
  DrawPlan plan;
  uint64_t seed = 0;
  uint32_t example = 0, first_sample = 0;
  uint32_t words_lane = 0, gaussian_lane = 0;
  int32_t first_copy = 0;  // the batch's number of its first copy
  int32_t capacity = 0;    // entries that a copy may need
  int64_t start = 0;       // where its copies begin: room for capacity * 32 entries per 32 copies
};

// 32 copies lie side by side: this is their stride.
constexpr int kCopiesAbreast = 32;

struct GpuDraw {
  int texts = 0, copies = 0;
  const GpuDrawText* text = nullptr;  // (texts), by first_copy
  // Out; `words` has the room that the texts ask for, the others an entry per copy.
  int32_t* words = nullptr;
  int64_t* starts = nullptr;
  int32_t *lengths = nullptr, *text_of = nullptr;
  GpuStreamKey* streams = nullptr;  // of the Gaussians; may be null
};
void draw_copies(const GpuQueue& queue, const GpuDraw& draw);

}  // namespace textcrs
