#include "textcrs/certified/certified_classifier.h"

#include <algorithm>
#include <numeric>

#include "certified/explain.h"
#include "textcrs/noise/noise.h"

namespace textcrs {

bool Description::is_smoothed() const {
  return noise != kNoNoise && noise != kClusters && noise != kIntervalBounds &&
         !noise.ends_with("votes");
}

std::optional<uint64_t> Description::seed() const {
  for (const Setting& setting : settings)
    if (setting.name == "seed") return std::get<uint64_t>(setting.value);
  return std::nullopt;
}

Explanation CertifiedClassifier::explain(const std::vector<std::string>& words, int prediction,
                                         uint32_t example, const ExplainOptions& options,
                                         StopToken stop) const {
  bool drawn = false;
  int64_t copies = 0;
  const auto share = [&](const std::vector<std::string>& text) {
    const Certification answer = certify(text, example, stop);
    const Votes& votes = answer.counts;
    const int64_t cast = std::accumulate(votes.begin(), votes.end(), int64_t{0});
    drawn = drawn || !answer.exact;
    copies = std::max(copies, cast);
    return static_cast<double>(votes[static_cast<size_t>(prediction)]) /
           static_cast<double>(std::max<int64_t>(cast, 1));
  };
  const MeasureShares measure = [&](std::span<const Influence> removed, uint32_t, uint32_t) {
    SharesWithout shares{share(words), {}};
    for (const Influence& word : removed)
      shares.without.push_back(share(without(std::span(words), word)));
    return shares;
  };
  Explanation explanation = explain_by(measure, measure, words, options);
  explanation.drawn = drawn;
  explanation.copies = drawn ? static_cast<uint32_t>(copies) : 0;
  return explanation;
}

}  // namespace textcrs
