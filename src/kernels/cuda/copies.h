// Noisy copies in a GPU's memory.
#pragma once

#include <cstdint>

#include "kernels/cuda/gpu.h"

namespace textcrs {

struct GpuCopies {
  int count = 0;
  // Entry s of copy c is words[starts[c] + s * stride].
  const int32_t* words = nullptr;
  const int64_t* starts = nullptr;
  int stride = 1;
  const int32_t* lengths = nullptr;
};

// The copies by falling length, those above `longest` as if they had it: copies that run together
// then end together. Copies of one length come in any order. `bins` (longest + 2) is scratch.
void sort_by_length(const GpuQueue& queue, const GpuCopies& copies, int longest, int32_t* bins,
                    int32_t* order);

// The class of the highest score (copies, classes) of each copy, ties to the lowest index; the
// votes (texts, classes) for it of the text text_of[copy] grow by one. A copy with a score that is
// not finite has no vote.
void count_votes(const GpuQueue& queue, int copies, int classes, const double* scores,
                 const int32_t* text_of, unsigned long long* votes);

}  // namespace textcrs
