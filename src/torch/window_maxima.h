// The largest response of a filter over the windows of each copy.
#pragma once

#include <torch/types.h>

#include <vector>

namespace textcrs {

// (B, F), of `responses` (R - width + 1, F): the filters on the window that begins in each row of
// copies that lie one after the other, each with `gap` rows behind it (line_up_copies()). Over the
// windows that begin in a copy and end in it; a copy shorter than the window has one.
at::Tensor window_maxima(const at::Tensor& responses, const std::vector<int64_t>& lengths,
                         int width, int gap);

}  // namespace textcrs
