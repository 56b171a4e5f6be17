// The largest value of every column over the words of each copy.
#pragma once

#include <torch/types.h>

#include <vector>

namespace textcrs {

// (B, H), of `rows` (R, H) packed as by pack_copies(): the k-th row is of the k-th longest copy. A
// few launches whatever the lengths are, where LibTorch's pad_packed_sequence has some per length
// and, in its backward pass, a gradient of all rows for each of them.
at::Tensor packed_maxima(const at::Tensor& rows, const std::vector<int64_t>& batch_sizes);

}  // namespace textcrs
