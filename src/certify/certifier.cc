#include "textcrs/certify/certifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "textcrs/base/error.h"
#include "textcrs/certify/confidence.h"

namespace textcrs {
namespace {

void check(const CertifierOptions& options, int words) {
  const uint64_t samples = uint64_t{options.selection_samples} + options.estimation_samples;
  if (options.selection_samples == 0 || options.estimation_samples == 0)
    throw usage_error(
        fmt::format("{} selection and {} estimation samples, expected at least 1 each",
                    options.selection_samples, options.estimation_samples));
  if (samples > std::numeric_limits<uint32_t>::max() || options.estimation_samples > 1'000'000'000)
    throw usage_error(fmt::format("{} samples, expected at most 10^9 for the estimation", samples));
  if (!(options.alpha > 0 && options.alpha < 1))
    throw usage_error(fmt::format("alpha is {}, expected strictly between 0 and 1", options.alpha));
  if (words < 1)
    throw usage_error(fmt::format("the text has {} words, expected at least 1", words));
}

Votes draw(const VoteSource& votes, uint32_t begin, uint32_t end) {
  Votes counts = votes(begin, end);
  const bool negative = std::any_of(counts.begin(), counts.end(), [](int64_t c) { return c < 0; });
  if (negative || std::accumulate(counts.begin(), counts.end(), int64_t{0}) != end - begin)
    throw std::logic_error(
        fmt::format("certify_text: samples [{}, {}) did not cast one vote each", begin, end));
  return counts;
}

}  // namespace

Certification certify_text(const VoteSource& votes, int words, const Certificate* sound,
                           const Certificate* paper, const CertifierOptions& options) {
  check(options, words);
  const uint32_t selected = options.selection_samples;
  const uint32_t samples = selected + options.estimation_samples;

  Certification result;
  const Votes first = draw(votes, 0, selected);
  const auto top = std::max_element(first.begin(), first.end());  // the first of equals
  result.prediction = static_cast<int>(top - first.begin());
  result.counts = draw(votes, selected, samples);
  if (result.counts.size() != first.size())
    throw std::logic_error("certify_text: the number of classes changed between two calls");
  result.samples = samples;
  result.bounds.pa = clopper_pearson_lower(result.counts[static_cast<size_t>(result.prediction)],
                                           options.estimation_samples, options.alpha);
  result.bounds.pb = 1 - result.bounds.pa;  // exact for pA >= 1/2; below, the text is abstained on
  result.abstained = result.bounds.pa <= result.bounds.pb;
  if (result.abstained) return result;
  if (sound) result.sound = sound->certify(result.bounds, words);
  if (paper) result.paper = paper->certify(result.bounds, words);
  return result;
}

}  // namespace textcrs
