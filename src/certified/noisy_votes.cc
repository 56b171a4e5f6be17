#include "certified/noisy_votes.h"

#include <fmt/format.h>

#include "certified/vote_counter.h"
#include "certified/word_removal.h"
#include "textcrs/base/error.h"
#include "textcrs/certify/deterministic.h"

namespace textcrs {

Certification NoisyVotes::certify(Text text, uint32_t example, StopToken stop) const {
  const VoteCounter counter(engine, noise, text, classes, stop);
  if (const std::optional<uint64_t> outcomes = noise.outcomes(text))
    return certify_exactly(counter.outcomes(*outcomes), *outcomes, text, sound);
  if (runs_law(text)) {
    const auto [votes, shares] = counter.law();
    return certify_shares(votes, shares, text, sound, paper);
  }
  const VoteSource votes = [&](uint32_t begin, uint32_t end) {
    return counter.samples({.seed = seed, .example = example, .begin = begin, .end = end});
  };
  return certify_text(votes, text, sound, paper, certifier);
}

bool NoisyVotes::runs_law(Text text) const {
  const bool one_copy = text.empty() && noise.sigma() == 0;  // the empty one
  return one_copy || noise.law_size(text) <= largest_law;
}

Explanation NoisyVotes::explain(Text text, const std::vector<std::string>& words, int prediction,
                                uint32_t example, const ExplainOptions& options,
                                StopToken stop) const {
  const WordRemoval removal(engine, noise, text, classes, stop);
  const auto top = static_cast<size_t>(prediction);
  const bool finite = noise.outcomes(text).has_value();
  uint32_t copies = 0;
  bool drawn = false;
  const MeasureShares sample = [&](std::span<const Influence> removed, uint32_t begin,
                                   uint32_t end) {
    drawn = !finite;
    copies = finite ? 0 : end - begin;
    const SampleRange range = {.seed = seed,
                               .example = example,
                               .begin = begin,
                               .end = end,
                               .words_lane = lane::kExplanationWords,
                               .gaussian_lane = lane::kExplanationGaussian};
    return removal.shares(removed, range, top);
  };
  const MeasureShares measure = [&](std::span<const Influence> removed, uint32_t begin,
                                    uint32_t end) {
    if (finite || !runs_law(text) || !removal.laws_fit(removed, kLargestLaw))
      return sample(removed, begin, end);
    copies = 0;
    return removal.shares_of_laws(removed, top);
  };
  Explanation explanation = explain_by(sample, measure, words, options);
  explanation.copies = copies;
  explanation.drawn = drawn;
  return explanation;
}

void check_outcomes_of(const Noise& noise) {
  const std::optional<uint64_t> outcomes = noise.outcomes({});
  if (outcomes && *outcomes > kMostOutcomes)
    throw usage_error(fmt::format("noise {} has {} outcomes per text, expected at most {}",
                                  noise.spec(), *outcomes, kMostOutcomes));
}

}  // namespace textcrs
