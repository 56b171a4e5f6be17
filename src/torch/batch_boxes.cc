#include "torch/batch_boxes.h"

namespace textcrs {
namespace {

at::Tensor indices(const std::vector<int64_t>& values, const at::Device& device) {
  return at::tensor(values, at::kLong).to(device);
}

// Different ids in the order in which they came.
class Places {
 public:
  explicit Places(int64_t ids) : place_(static_cast<size_t>(ids), -1) {}

  int64_t add(int64_t id) {
    int64_t& place = place_[static_cast<size_t>(id)];
    if (place < 0) {
      place = static_cast<int64_t>(list_.size());
      list_.push_back(id);
    }
    return place;
  }
  const std::vector<int64_t>& list() const { return list_; }
  std::vector<int64_t> take() { return std::move(place_); }

 private:
  std::vector<int64_t> place_, list_;
};

}  // namespace

at::Tensor BatchBoxes::rows(const std::vector<int64_t>& words) const {
  std::vector<int64_t> rows;
  rows.reserve(words.size());
  for (const int64_t word : words) rows.push_back(row_of[static_cast<size_t>(word)]);
  return indices(rows, low.device());
}

BatchBoxes batch_boxes(const std::vector<int64_t>& words, const SynonymTable& synonyms,
                       const at::Tensor& vectors, const at::Tensor& weight, const at::Tensor& bias,
                       double scale) {
  Places different(vectors.size(0)), images(vectors.size(0));
  for (const int64_t word : words) different.add(word);
  // Of every word: itself, then its candidates.
  std::vector<int64_t> own, members, counts;
  for (const int64_t word : different.list()) {
    const auto candidates = synonyms.of(static_cast<WordId>(word));
    own.push_back(images.add(word));
    members.push_back(own.back());
    for (const WordId candidate : candidates) members.push_back(images.add(candidate));
    counts.push_back(static_cast<int64_t>(1 + candidates.size()));
  }
  const at::Device device = vectors.device();
  const at::Tensor image = at::linear(
      at::embedding(vectors, indices(images.list(), device), /*padding_idx=*/kPad), weight, bias);
  const at::Tensor all = image.index_select(0, indices(members, device));
  const at::Tensor point = image.index_select(0, indices(own, device));
  const at::Tensor sizes = indices(counts, device);
  const at::Tensor least = at::segment_reduce(all, "min", sizes);
  const at::Tensor most = at::segment_reduce(all, "max", sizes);
  return {point + scale * (least - point), point + scale * (most - point), different.take()};
}

}  // namespace textcrs
