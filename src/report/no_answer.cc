#include "report/no_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/safe_decimals.h"
#include "report/run_settings.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

constexpr double kMostCopies = 1e7;  // that anyone would wait for

// Whether so many copies whose votes have the same shares would answer `top`.
bool decides(const Votes& votes, int64_t drawn, double copies, size_t top,
             const CertifierOptions& options) {
  const double factor = copies / static_cast<double>(drawn);
  Votes scaled;
  for (const int64_t count : votes)
    scaled.push_back(static_cast<int64_t>(std::floor(static_cast<double>(count) * factor)));
  const Bounds bounds =
      class_bounds(scaled, top, static_cast<int64_t>(copies), options.alpha, options.bounds);
  return bounds.pa > bounds.pb;
}

// What would help, for votes of a sample in which `top` leads.
std::string help(const Votes& votes, int64_t drawn, size_t top, const CertifierOptions& options) {
  const double now = static_cast<double>(drawn);
  for (double power = std::pow(10, std::floor(std::log10(now))); power <= kMostCopies; power *= 10)
    for (const double digit : {1, 2, 5}) {
      const double copies = digit * power;
      if (copies > now && copies <= kMostCopies && decides(votes, drawn, copies, top, options))
        return fmt::format("about {:.0f} noisy copies instead of {} may decide", copies, drawn);
    }
  return "more noisy copies would hardly help";
}

}  // namespace

std::string why_no_answer(const CertifiedClassifier& classifier, const Certification& answer) {
  if (answer.exact)
    return "the votes are tied; all noisy copies were counted, so nothing would help";
  const CertifierOptions& options = classifier.description().certifier;
  const auto name = [&](size_t c) { return printable_name(classifier.classes()[c]); };
  const Votes& votes = answer.counts;
  const int64_t drawn = std::accumulate(votes.begin(), votes.end(), int64_t{0});
  std::vector<size_t> order(votes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return votes[a] > votes[b]; });
  const size_t top = order[0], next = order[1];
  const auto percent = [&](size_t c) {
    return rounded_down(100 * static_cast<double>(votes[c]) / static_cast<double>(drawn), 3);
  };
  const bool chosen = top == static_cast<size_t>(answer.prediction);
  if (!chosen && decides(votes, drawn, static_cast<double>(drawn), top, options))
    return fmt::format(
        "the first {} noisy copies chose {}, but {} has {} % of the other votes; more copies for "
        "the choice may decide",
        options.selection_samples, name(static_cast<size_t>(answer.prediction)), name(top),
        percent(top));
  const bool early =
      stopped_by_rule(classifier.description(), answer) && answer.stop != StopReason::kAllDrawn;
  return fmt::format(
      "{} ({} % of the votes) and {} ({} %) are too close to call at {} % confidence; {}",
      name(top), percent(top), name(next), percent(next), confidence_percent(options.alpha),
      early ? fmt::format("the drawing was stopped early: {}", in_words(answer.stop))
            : help(votes, drawn, top, options));
}

}  // namespace textcrs
