// A thread per copy.
#include "kernels/cuda/draw.h"
#include "kernels/cuda/launch.h"

namespace textcrs {
namespace {

constexpr int kThreads = 128;

// The last text that begins at or before the copy.
__device__ int text_of_copy(const GpuDraw& draw, int copy) {
  int low = 0, high = draw.texts;
  while (high - low > 1) {
    const int middle = (low + high) / 2;
    if (draw.text[middle].first_copy <= copy)
      low = middle;
    else
      high = middle;
  }
  return low;
}

__global__ void draw_each(GpuDraw draw) {
  const int copy = static_cast<int>(blockIdx.x) * kThreads + static_cast<int>(threadIdx.x);
  if (copy >= draw.copies) return;
  const int at = text_of_copy(draw, copy);
  const GpuDrawText& text = draw.text[at];
  const int mine = copy - text.first_copy;
  const int64_t start =
      text.start + static_cast<int64_t>(mine / kCopiesAbreast) * kCopiesAbreast * text.capacity +
      mine % kCopiesAbreast;
  const uint32_t sample = text.first_sample + static_cast<uint32_t>(mine);
  int32_t* const words = draw.words + start;
  draw.starts[copy] = start;
  draw.text_of[copy] = at;
  draw.lengths[copy] = draw_copy(
      text.plan, PhiloxStream(text.seed, text.example, sample, text.words_lane),
      [words](uint32_t i) -> int32_t& { return words[static_cast<int64_t>(i) * kCopiesAbreast]; });
  if (draw.streams != nullptr)
    draw.streams[copy] = {text.seed, text.example, sample, text.gaussian_lane};
}

}  // namespace

void draw_copies(const GpuQueue& queue, const GpuDraw& draw) {
  if (draw.copies == 0) return;
  draw_each<<<(draw.copies + kThreads - 1) / kThreads, kThreads, 0, queue.stream()>>>(draw);
  check_launch("draw_copies");
}

}  // namespace textcrs
