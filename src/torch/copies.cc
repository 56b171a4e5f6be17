#include "torch/copies.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernels/normals.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

int64_t length_of(const std::vector<WordId>& copy, int slots) {
  return std::clamp<int64_t>(static_cast<int64_t>(copy.size()), 1, slots);
}

WordId word_at(const std::vector<WordId>& copy, int64_t slot) {
  return slot < static_cast<int64_t>(copy.size()) ? copy[static_cast<size_t>(slot)] : kPad;
}

// PAD's row gets no gradient.
at::Tensor look_up(const at::Tensor& vectors, const at::Tensor& ids) {
  return at::embedding(vectors, ids.to(vectors.device()), /*padding_idx=*/kPad);
}

// One mask per copy, a row of it for every row of that copy.
at::Tensor input_mask(const TrainingStep& training, const at::Tensor& copy_of_row, int64_t copies,
                      const at::Tensor& vectors, double rate) {
  return training.mask(copies, vectors.size(1), rate, 0)
      .to(vectors.device())
      .index_select(0, copy_of_row.to(vectors.device()));
}

// What the network reads of the noisy vectors. share (R): what a row is of its copy's slots; 0 for
// rows that are no slots, which stay as they are.
at::Tensor map_slots(const SlotMap& map, const at::Tensor& clean, const at::Tensor& noisy,
                     const at::Tensor& share, const TrainingStep* training) {
  if (map.is_identity()) return noisy;
  const at::Tensor there = send(share, noisy.device());
  const at::Tensor mapped = at::where(there.unsqueeze(1) > 0, map(noisy), noisy);
  if (training != nullptr && training->reconstruction_error != nullptr && map.reconstructs())
    *training->reconstruction_error = reconstruction_error(mapped, clean, there);
  return mapped;
}

}  // namespace

void add_gaussian(const CopyView& batch, const std::vector<int64_t>& lengths, at::Tensor& words,
                  const std::function<int64_t(size_t, int64_t)>& row_of) {
  if (batch.sigma == 0) return;
  if (batch.gaussians.size() != batch.copies.size())
    throw std::logic_error("CopyView: sigma needs one Gaussian stream per copy");
  const int64_t dimension = words.size(-1), rows = words.numel() / dimension;
  at::Tensor noise = at::zeros({rows, dimension}, at::kFloat);
  // A GPU waits for the noise, so all cores draw; on the CPU other threads are busy as well.
  const Isa isa = best_isa(Precision::kFp32);
  parallel_for(lengths.size(), words.is_cuda() ? available_cores() : 1, [&](size_t b) {
    std::vector<float> values(static_cast<size_t>(lengths[b] * dimension));
    normals_at(isa, batch.gaussians[b], 0, values);
    for (int64_t t = 0; t < lengths[b]; ++t)
      std::copy_n(values.data() + t * dimension, dimension,
                  noise.data_ptr<float>() + row_of(b, t) * dimension);
  });
  words = words + send(noise, words.device()).mul_(batch.sigma).view_as(words);
}

at::Tensor send(const at::Tensor& tensor, const at::Device& device) {
  return device.is_cuda() ? tensor.pin_memory().to(device, /*non_blocking=*/true)
                          : tensor.to(device);
}

at::Tensor TrainingStep::mask(int64_t rows, int64_t columns, double rate, uint32_t use) const {
  at::Tensor mask = at::empty({rows, columns}, at::kFloat);
  float* values = mask.data_ptr<float>();
  Stream stream(seed, use + 16 * part, step, lane::kDropout);
  const auto threshold = static_cast<uint32_t>(rate * 0x1p32);
  const auto kept = static_cast<float>(1 / (1 - rate));
  for (int64_t i = 0; i < rows * columns; ++i) values[i] = stream() < threshold ? 0.0f : kept;
  return mask;
}

PackedCopies pack_copies(const CopyView& batch, int slots, const at::Tensor& vectors,
                         const TrainingStep* training, double input_dropout, const SlotMap& map) {
  const auto count = static_cast<int64_t>(batch.copies.size());
  std::vector<int64_t> lengths(batch.copies.size());
  for (size_t b = 0; b < lengths.size(); ++b) lengths[b] = length_of(batch.copies[b], slots);

  PackedCopies packed;
  packed.order.resize(lengths.size());
  std::iota(packed.order.begin(), packed.order.end(), 0);
  std::stable_sort(packed.order.begin(), packed.order.end(),
                   [&](int64_t a, int64_t b) { return lengths[a] > lengths[b]; });
  std::vector<int64_t> rank(lengths.size());
  for (int64_t k = 0; k < count; ++k) rank[packed.order[k]] = k;

  const int64_t steps = lengths[packed.order[0]];
  std::vector<int64_t> offsets(steps);
  int64_t rows = 0, active = count;
  for (int64_t t = 0; t < steps; ++t) {
    while (lengths[packed.order[active - 1]] <= t) --active;
    packed.batch_sizes.push_back(active);
    offsets[t] = rows;
    rows += active;
  }

  at::Tensor ids = at::empty({rows}, at::kLong);
  at::Tensor copy_of_row = at::empty({rows}, at::kLong);
  at::Tensor share = at::empty({rows}, at::kFloat);
  for (int64_t t = 0; t < steps; ++t) {
    for (int64_t k = 0; k < packed.batch_sizes[t]; ++k) {
      const int64_t copy = packed.order[k];
      ids.data_ptr<int64_t>()[offsets[t] + k] = word_at(batch.copies[copy], t);
      copy_of_row.data_ptr<int64_t>()[offsets[t] + k] = k;
      share.data_ptr<float>()[offsets[t] + k] = 1 / static_cast<float>(lengths[copy]);
    }
  }
  const at::Tensor clean = look_up(vectors, ids);
  packed.words = clean;
  add_gaussian(batch, lengths, packed.words,
               [&](size_t b, int64_t t) { return offsets[t] + rank[b]; });
  packed.words = map_slots(map, clean, packed.words, share, training);
  if (training != nullptr && input_dropout > 0)
    packed.words = packed.words * input_mask(*training, copy_of_row, count, vectors, input_dropout);
  return packed;
}

LinedUpCopies line_up_copies(const CopyView& batch, int slots, int gap, const at::Tensor& vectors,
                             const TrainingStep* training, double input_dropout,
                             const SlotMap& map) {
  const auto count = static_cast<int64_t>(batch.copies.size());
  LinedUpCopies lined_up;
  std::vector<int64_t> starts;  // the first row of every copy
  int64_t rows = 0;
  for (const auto& copy : batch.copies) {
    lined_up.lengths.push_back(length_of(copy, slots));
    starts.push_back(rows);
    rows += lined_up.lengths.back() + gap;
  }
  at::Tensor ids = at::full({rows}, kPad, at::kLong);
  at::Tensor copy_of_row = at::empty({rows}, at::kLong);
  at::Tensor share = at::zeros({rows}, at::kFloat);
  for (int64_t b = 0; b < count; ++b) {
    for (int64_t t = 0; t < lined_up.lengths[b]; ++t)
      ids.data_ptr<int64_t>()[starts[b] + t] = word_at(batch.copies[b], t);
    std::fill_n(share.data_ptr<float>() + starts[b], lined_up.lengths[b],
                1 / static_cast<float>(lined_up.lengths[b]));
    std::fill_n(copy_of_row.data_ptr<int64_t>() + starts[b], lined_up.lengths[b] + gap, b);
  }
  const at::Tensor clean = look_up(vectors, ids);
  lined_up.words = clean;
  add_gaussian(batch, lined_up.lengths, lined_up.words,
               [&](size_t b, int64_t t) { return starts[b] + t; });
  lined_up.words = map_slots(map, clean, lined_up.words, share, training);
  if (training != nullptr && input_dropout > 0)
    lined_up.words =
        lined_up.words * input_mask(*training, copy_of_row, count, vectors, input_dropout);
  return lined_up;
}

}  // namespace textcrs
