#include "torch/sentence_loss.h"

#include <algorithm>
#include <vector>

namespace textcrs {
namespace {

// The votes (S, C) as (T, M, C), M the most sentences of a text. A place without a sentence has no
// votes, so it leads by 0, and neither adds nor loses anything.
at::Tensor by_text(const at::Tensor& votes, std::span<const size_t> sentences) {
  const auto texts = static_cast<int64_t>(sentences.size());
  const auto most = static_cast<int64_t>(
      std::max<size_t>(1, *std::max_element(sentences.begin(), sentences.end())));
  const int64_t nobody = votes.size(0);
  std::vector<int64_t> rows(static_cast<size_t>(texts * most), nobody);
  int64_t row = 0;
  for (int64_t text = 0; text < texts; ++text)
    for (size_t place = 0; place < sentences[static_cast<size_t>(text)]; ++place)
      rows[static_cast<size_t>(text * most) + place] = row++;
  const at::Tensor with_nobody = at::cat({votes, at::zeros({1, votes.size(1)}, votes.options())});
  return with_nobody.index_select(0, at::tensor(rows, at::kLong).to(votes.device()))
      .view({texts, most, votes.size(1)});
}

}  // namespace

at::Tensor sentence_loss(const at::Tensor& logits, std::span<const size_t> sentences,
                         const at::Tensor& labels, int edits, double temperature) {
  const at::Tensor votes = by_text(at::softmax(logits.to(at::kDouble), 1), sentences);
  const at::Tensor of_label =
      votes.gather(2, labels.view({-1, 1, 1}).expand({votes.size(0), votes.size(1), 1}));
  const at::Tensor leads = of_label - votes;  // (T, M, C)
  at::Tensor left = leads.sum(1) - edits;
  if (edits > 0) {
    const int64_t lost = std::min<int64_t>(edits, leads.size(1));
    // relu() has no slope at 0: so a tie with a place without a sentence changes no gradient.
    left = left - std::get<0>(leads.relu().topk(lost, 1)).sum(1);
  }
  // The label's own place becomes the 1 of the sum.
  const at::Tensor exponents = (-left / temperature).scatter(1, labels.view({-1, 1}), 0.0);
  return temperature * exponents.logsumexp(1).sum();
}

}  // namespace textcrs
