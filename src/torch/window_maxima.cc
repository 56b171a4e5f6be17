#include "torch/window_maxima.h"

#include <algorithm>

namespace textcrs {

at::Tensor window_maxima(const at::Tensor& responses, const std::vector<int64_t>& lengths,
                         int width, int gap) {
  // The windows behind those of a copy are segments of their own, which nobody reads.
  at::Tensor segments = at::empty({static_cast<int64_t>(lengths.size()), 2}, at::kLong);
  int64_t* const sizes = segments.data_ptr<int64_t>();
  for (size_t b = 0; b < lengths.size(); ++b) {
    sizes[2 * b] = std::max<int64_t>(lengths[b] - (width - 1), 1);
    sizes[2 * b + 1] = lengths[b] + gap - sizes[2 * b];
  }
  sizes[2 * lengths.size() - 1] -= width - 1;  // the last rows begin no window
  const at::Tensor all =
      at::segment_reduce(responses, "max", segments.view({-1}).to(responses.device()));
  return all.view({-1, 2, responses.size(1)}).select(1, 0);
}

}  // namespace textcrs
