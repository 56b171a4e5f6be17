// From noisy copies to tensors: the two layouts the networks read.
#pragma once

#include <torch/types.h>

#include <functional>
#include <vector>

#include "textcrs/model/copy_batch.h"
#include "torch/slot_map.h"

namespace textcrs {

// What a forward pass needs to know in training. Null elsewhere: no dropout, one thread.
struct TrainingStep {
  uint64_t seed;
  uint32_t step;
  int threads;
  uint32_t part = 0;  // of a step whose texts go through in several
  // Where a model that reconstructs puts its error: the mean squared error of each copy, over its
  // slots and coordinates, summed over the copies. Null: nowhere.
  at::Tensor* reconstruction_error = nullptr;

  // A dropout mask that depends on (seed, step, part, use) alone: (rows, columns) of 0 and
  // 1/(1-rate); `use` tells several masks of a step apart.
  at::Tensor mask(int64_t rows, int64_t columns, double rate, uint32_t use) const;
};

// A CPU tensor on another device; from pinned memory to a GPU, which then need not be waited for.
at::Tensor send(const at::Tensor& tensor, const at::Device& device);

// Copies sorted by length, longest first, their words laid out time-major without padding, as in
// PyTorch's PackedSequence: step t holds the t-th words of the batch_sizes[t] longest copies.
struct PackedCopies {
  std::vector<int64_t> order;        // order[k]: which copy of the batch is the k-th longest
  std::vector<int64_t> batch_sizes;  // (T)
  at::Tensor words;                  // (R, D), R = sum of batch_sizes
};

// Copies are cut to `slots` words; an empty one becomes a single PAD. The map is applied to vectors
// with their Gaussian, dropout to what comes out of it.
PackedCopies pack_copies(const CopyView& batch, int slots, const at::Tensor& vectors,
                         const TrainingStep* training, double input_dropout,
                         const SlotMap& map = {});

// With sigma > 0: adds the Gaussian of the copies to `words` (R, D), or (B, T, D). That of slot t
// of copy b goes to row row_of(b, t).
void add_gaussian(const CopyView& batch, const std::vector<int64_t>& lengths, at::Tensor& words,
                  const std::function<int64_t(size_t, int64_t)>& row_of);

// Copies in their own order, one after the other, with PAD for `gap` rows behind each: a window of
// up to gap + 1 rows that begins in a copy does not reach the next.
struct LinedUpCopies {
  std::vector<int64_t> lengths;  // (B), at least 1
  at::Tensor words;              // (R, D), R = sum of lengths + B gap
};
// Cut and filled as by pack_copies(); neither Gaussian nor map nor dropout changes the PAD between
// copies.
LinedUpCopies line_up_copies(const CopyView& batch, int slots, int gap, const at::Tensor& vectors,
                             const TrainingStep* training, double input_dropout,
                             const SlotMap& map = {});

}  // namespace textcrs
