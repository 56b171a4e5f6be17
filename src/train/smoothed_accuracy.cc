#include "textcrs/train/smoothed_accuracy.h"

#include <algorithm>
#include <numeric>

#include "textcrs/base/lanes.h"

namespace textcrs {

double smoothed_accuracy(const Engine& engine, const Noise& noise,
                         const std::vector<EncodedText>& texts, int copies, uint64_t seed) {
  if (texts.empty()) return 0;
  // Texts of similar length share a batch; the order decides nothing else.
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return texts[a].words.size() < texts[b].words.size();
  });
  std::vector<TextSamples> samples;
  for (const size_t t : order)
    samples.push_back({texts[t].text(),
                       {.seed = seed,
                        .example = texts[t].id,
                        .begin = 0,
                        .end = static_cast<uint32_t>(copies),
                        .words_lane = lane::kEvaluationWords,
                        .gaussian_lane = lane::kEvaluationGaussian}});
  const auto votes = engine.votes(samples, noise);
  size_t right = 0;
  for (size_t i = 0; i < order.size(); ++i) {
    const auto winner = std::max_element(votes[i].begin(), votes[i].end()) - votes[i].begin();
    right += winner == texts[order[i]].label;
  }
  return static_cast<double>(right) / static_cast<double>(texts.size());
}

}  // namespace textcrs
