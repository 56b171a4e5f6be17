// Scores of words, added up: for comparison with the cpu engine. They are learnt without LibTorch.
#include "model/tensors.h"
#include "model/vote_windows.h"
#include "torch/network.h"

namespace textcrs {
namespace {

class Votes final : public Network {
 public:
  using Network::Network;

  at::Tensor forward(const CopyView& batch, const TrainingStep*) const override {
    const VoteShape& shape = config().votes;
    std::vector<std::vector<WordId>> rows(batch.copies.begin(), batch.copies.end());
    if (shape.presence)
      for (auto& words : rows) words = different_words(std::move(words));
    at::Tensor sums = added_up(vectors(), rows) + parameter(kVoteBias);
    for (int width = 2; width <= shape.windows; ++width) {
      for (size_t i = 0; i < rows.size(); ++i)
        rows[i] = window_rows(batch.copies[i], static_cast<size_t>(width),
                              static_cast<size_t>(shape.window_rows));
      sums = sums + added_up(parameter(window_scores(width)), rows);
    }
    return sums;
  }

 private:
  // The sums of whole numbers are exact in float64.
  at::Tensor added_up(const at::Tensor& table,
                      const std::vector<std::vector<WordId>>& lists) const {
    std::vector<int64_t> rows, offsets;
    for (const std::vector<WordId>& list : lists) {
      offsets.push_back(static_cast<int64_t>(rows.size()));
      rows.insert(rows.end(), list.begin(), list.end());
    }
    const auto [sums, bag, sizes, indices] =
        at::embedding_bag(table.to(at::kDouble), at::tensor(rows, at::kLong).to(device()),
                          at::tensor(offsets, at::kLong).to(device()));
    return sums;
  }
};

}  // namespace

std::unique_ptr<Network> make_votes(const Classifier& classifier, const at::Device& device) {
  return std::make_unique<Votes>(classifier, device);
}

}  // namespace textcrs
