#include "torch/masked_parts.h"

#include <algorithm>

namespace textcrs {
namespace {

// The sequences [begin, end) of a batch.
MaskedBatch sequences(const MaskedBatch& batch, size_t begin, size_t end) {
  const MaskedRows& rows = batch.rows;
  const int32_t first = rows.starts[begin], last = rows.starts[end];
  MaskedBatch part;
  part.rows.pieces.assign(rows.pieces.begin() + first, rows.pieces.begin() + last);
  for (size_t s = begin; s <= end; ++s) part.rows.starts.push_back(rows.starts[s] - first);
  for (size_t s = begin; s < end; ++s)
    part.rows.longest = std::max(part.rows.longest, rows.starts[s + 1] - rows.starts[s]);
  for (size_t m = 0; m < rows.places.size(); ++m)
    if (rows.places[m] >= first && rows.places[m] < last) {
      part.rows.places.push_back(rows.places[m] - first);
      part.targets.push_back(batch.targets[m]);
    }
  return part;
}

}  // namespace

std::vector<MaskedBatch> masked_parts(const MaskedBatch& batch, int parts) {
  const size_t count = batch.rows.starts.size() - 1;
  const size_t wanted = std::min(count, static_cast<size_t>(parts));
  std::vector<MaskedBatch> list;
  for (size_t i = 0; i < wanted; ++i)
    if (MaskedBatch part = sequences(batch, count * i / wanted, count * (i + 1) / wanted);
        !part.targets.empty())
      list.push_back(std::move(part));
  if (list.empty()) list.push_back(batch);
  return list;
}

}  // namespace textcrs
