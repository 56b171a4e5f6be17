#include "torch/packed_maxima.h"

#include <limits>

#include "torch/copies.h"

namespace textcrs {
namespace {

// (T, B): the row of step t of the k-th longest copy, and `none` where that copy has ended.
at::Tensor rows_of_steps(const std::vector<int64_t>& batch_sizes, int64_t none) {
  const auto steps = static_cast<int64_t>(batch_sizes.size());
  at::Tensor table = at::full({steps, batch_sizes[0]}, none, at::kLong);
  int64_t row = 0;
  for (int64_t t = 0; t < steps; ++t)
    for (int64_t k = 0; k < batch_sizes[t]; ++k)
      table.data_ptr<int64_t>()[t * batch_sizes[0] + k] = row++;
  return table;
}

}  // namespace

at::Tensor packed_maxima(const at::Tensor& rows, const std::vector<int64_t>& batch_sizes) {
  const at::Tensor table = send(rows_of_steps(batch_sizes, rows.size(0)), rows.device());
  at::Tensor winners;  // (B, H), rows
  {
    const at::NoGradGuard no_grad;
    const at::Tensor least =
        at::full({1, rows.size(1)}, -std::numeric_limits<double>::infinity(), rows.options());
    const at::Tensor padded = at::cat({rows, least}).index_select(0, table.view({-1}));
    const at::Tensor steps =
        padded.view({table.size(0), table.size(1), rows.size(1)}).argmax(/*dim=*/0);
    winners = table.t().gather(1, steps);
  }
  return rows.gather(0, winners);
}

}  // namespace textcrs
