#include "textcrs/certify/deterministic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

// votes / outcomes, rounded towards `towards`, 0 or 1. Both numbers are exact doubles, and fma
// gives the sign of the rounding error.
double share(int64_t votes, uint64_t outcomes, double towards) {
  const auto n = static_cast<double>(outcomes);
  const double nearest = static_cast<double>(votes) / n;
  const double error = std::fma(nearest, n, -static_cast<double>(votes));
  const bool wrong_side = towards == 0 ? error > 0 : error < 0;
  return wrong_side ? std::nextafter(nearest, towards) : nearest;
}

void check(const Votes& votes, uint64_t outcomes, std::span<const WordId> text) {
  if (outcomes == 0 || outcomes > kMostOutcomes)
    throw usage_error(
        fmt::format("{} outcomes a text, expected 1 to {} to count them all; use fewer buckets, "
                    "fewer functions or shorter blocks",
                    outcomes, kMostOutcomes));
  if (text.empty()) throw usage_error("the text has no words, expected at least 1");
  if (votes.size() < 2 || *std::min_element(votes.begin(), votes.end()) < 0 ||
      std::accumulate(votes.begin(), votes.end(), int64_t{0}) > static_cast<int64_t>(outcomes))
    throw std::logic_error(
        fmt::format("certify_exactly: not votes of {} outcomes over two classes", outcomes));
}

}  // namespace

Certification certify_exactly(const Votes& votes, uint64_t outcomes, std::span<const WordId> text,
                              const Certificate* certificate) {
  check(votes, outcomes, text);
  const auto top = std::max_element(votes.begin(), votes.end());  // the first of equals
  int64_t second = 0;
  for (auto it = votes.begin(); it != votes.end(); ++it)
    if (it != top) second = std::max(second, *it);

  Certification result;
  result.exact = true;
  result.prediction = static_cast<int>(top - votes.begin());
  result.counts = votes;
  result.samples = static_cast<uint32_t>(std::accumulate(votes.begin(), votes.end(), int64_t{0}));
  result.abstained = *top == second;
  result.bounds.pa = share(*top, outcomes, 0);
  result.bounds.pb = result.abstained ? result.bounds.pa : share(second, outcomes, 1);
  if (!result.abstained && certificate) result.sound = certificate->certify(result.bounds, text);
  return result;
}

Certification certify_shares(const Votes& votes, std::span<const double> shares,
                             std::span<const WordId> text, const Certificate* sound,
                             const Certificate* paper) {
  if (text.empty()) throw usage_error("the text has no words, expected at least 1");
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (shares.size() < 2 || votes.size() != shares.size() || !(std::abs(sum - 1) <= kShareError))
    throw std::logic_error(
        fmt::format("certify_shares: {} shares, adding up to {}", shares.size(), sum));
  const auto top = std::max_element(shares.begin(), shares.end());  // the first of equals
  double second = 0;
  for (auto it = shares.begin(); it != shares.end(); ++it)
    if (it != top) second = std::max(second, *it);

  Certification result;
  result.exact = true;
  result.prediction = static_cast<int>(top - shares.begin());
  result.counts = votes;
  result.samples = static_cast<uint32_t>(std::accumulate(votes.begin(), votes.end(), int64_t{0}));
  result.bounds.pa = std::max(0.0, *top - kShareError);
  result.bounds.pb = std::min(second + kShareError, std::nextafter(1 - result.bounds.pa, 1.0));
  result.abstained = result.bounds.pa <= result.bounds.pb;
  if (result.abstained) return result;
  if (sound) result.sound = sound->certify(result.bounds, text);
  if (paper) result.paper = paper->certify(result.bounds, text);
  return result;
}

}  // namespace textcrs
