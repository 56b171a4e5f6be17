#include "textcrs/certify/certifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "certify/both_modes.h"
#include "textcrs/base/error.h"
#include "textcrs/certify/confidence.h"

namespace textcrs {
namespace {

Votes draw(const VoteSource& votes, uint32_t begin, uint32_t end) {
  Votes counts = votes(begin, end);
  const bool negative = std::any_of(counts.begin(), counts.end(), [](int64_t c) { return c < 0; });
  if (negative || std::accumulate(counts.begin(), counts.end(), int64_t{0}) != end - begin)
    throw std::logic_error(
        fmt::format("certify_text: samples [{}, {}) did not cast one vote each", begin, end));
  return counts;
}

// Draws up to the look's size and adds the new votes to the result.
void draw_look(const VoteSource& votes, uint32_t first, const Look& look, Certification& result) {
  const Votes fresh = draw(votes, result.samples, first + look.size);
  if (fresh.size() != result.counts.size())
    throw std::logic_error("certify_text: the number of classes changed between two calls");
  for (size_t c = 0; c < fresh.size(); ++c) result.counts[c] += fresh[c];
  result.samples = first + look.size;
}

}  // namespace

void check_options(const CertifierOptions& options) {
  const uint64_t samples = uint64_t{options.selection_samples} + options.estimation_samples;
  if (options.selection_samples == 0 || options.estimation_samples == 0)
    throw usage_error(
        fmt::format("{} selection and {} estimation samples, expected at least 1 each",
                    options.selection_samples, options.estimation_samples));
  if (samples > std::numeric_limits<uint32_t>::max() || options.estimation_samples > 1'000'000'000)
    throw usage_error(fmt::format("{} samples, expected at most 10^9 for the estimation", samples));
  if (!(options.alpha > 0 && options.alpha < 1))
    throw usage_error(fmt::format("alpha is {}, expected strictly between 0 and 1", options.alpha));
  const StopRule& stop = options.stop;
  if (stop.at_radius && !(*stop.at_radius >= 0))
    throw usage_error(fmt::format("stop radius is {}, expected at least 0", *stop.at_radius));
  if (stop.at_radius && stop.automatic)
    throw usage_error("two stop rules, at a radius and automatic; expected one");
  if (stop.operation && !stop.stops())
    throw usage_error(fmt::format("stop operation is {}, but there is no rule when to stop",
                                  to_string(*stop.operation)));
}

// The looks' sizes do not depend on the votes, so with probability 1 - (sum of their alphas) the
// bounds of all looks hold together: those of the look where it stops, and the best of all so far.
Certification certify_text(const VoteSource& votes, Text text, const Certificate* sound,
                           const Certificate* paper, const CertifierOptions& options) {
  check_options(options);
  const BothModes certificates(text, sound, paper);
  const uint32_t selected = options.selection_samples;
  std::vector<Look> looks = {{options.estimation_samples, options.alpha}};
  std::optional<Stopping> stopping;
  if (options.stop.stops()) {
    if (!sound && !paper) throw usage_error("a stop rule needs a certificate to follow");
    looks = plan_looks(selected, options.estimation_samples, options.alpha);
    stopping.emplace(options.stop, sound ? *sound : *paper,
                     sound ? *certificates.sound() : *certificates.paper(), options.bounds, looks);
  }

  Certification result;
  const Votes first = draw(votes, 0, selected);
  const auto top = static_cast<size_t>(std::max_element(first.begin(), first.end()) -
                                       first.begin());  // the first of equals
  result.prediction = static_cast<int>(top);
  result.samples = selected;
  result.counts.assign(first.size(), 0);
  result.bounds = {0, 1};
  for (size_t i = 0; i < looks.size(); ++i) {
    draw_look(votes, selected, looks[i], result);
    const Bounds bounds =
        class_bounds(result.counts, top, looks[i].size, looks[i].alpha, options.bounds);
    result.bounds.pa = std::max(result.bounds.pa, bounds.pa);
    result.bounds.pb = std::min(result.bounds.pb, bounds.pb);
    if (!stopping) continue;
    if (const auto reason = stopping->decide(i, result.counts, top, result.bounds)) {
      result.stop = *reason;
      break;
    }
  }
  certificates.conclude(result);
  return result;
}

}  // namespace textcrs
