#include "textcrs/certify/deterministic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "certify/both_modes.h"
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

void check_outcomes(uint64_t outcomes) {
  if (outcomes == 0 || outcomes > kMostOutcomes)
    throw usage_error(
        fmt::format("{} outcomes per text, expected 1 to {} to count them all; use fewer buckets, "
                    "fewer functions or shorter blocks",
                    outcomes, kMostOutcomes));
}

void check_votes(const Votes& votes, uint64_t outcomes) {
  if (votes.size() < 2 || *std::min_element(votes.begin(), votes.end()) < 0 ||
      std::accumulate(votes.begin(), votes.end(), int64_t{0}) > static_cast<int64_t>(outcomes))
    throw std::logic_error(
        fmt::format("certify_exactly: not votes of {} outcomes over two classes", outcomes));
}

// What is known once all outcomes are counted.
Certification counted_result(const Votes& votes, size_t top, Bounds bounds,
                             const BothModes& certificates) {
  Certification result;
  result.exact = true;
  result.prediction = static_cast<int>(top);
  result.counts = votes;
  result.samples = static_cast<uint32_t>(std::accumulate(votes.begin(), votes.end(), int64_t{0}));
  result.bounds = bounds;
  certificates.conclude(result);
  return result;
}

}  // namespace

Certification certify_exactly(const Votes& votes, uint64_t outcomes, Text text,
                              const Certificate* certificate) {
  check_outcomes(outcomes);
  const BothModes certificates(text, certificate, nullptr);
  check_votes(votes, outcomes);
  const auto top = std::max_element(votes.begin(), votes.end());  // the first of equals
  int64_t second = 0;
  for (auto it = votes.begin(); it != votes.end(); ++it)
    if (it != top) second = std::max(second, *it);

  // Votes are far enough apart (kMostOutcomes) for pA > pB whenever they differ.
  Bounds bounds;
  bounds.pa = share(*top, outcomes, 0);
  bounds.pb = *top == second ? bounds.pa : share(second, outcomes, 1);
  return counted_result(votes, static_cast<size_t>(top - votes.begin()), bounds, certificates);
}

Certification certify_shares(const Votes& votes, std::span<const double> shares, Text text,
                             const Certificate* sound, const Certificate* paper) {
  const BothModes certificates(text, sound, paper);
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  if (shares.size() < 2 || votes.size() != shares.size() || !(std::abs(sum - 1) <= kShareError))
    throw std::logic_error(
        fmt::format("certify_shares: {} shares, adding up to {}", shares.size(), sum));
  const auto top = std::max_element(shares.begin(), shares.end());  // the first of equals
  double second = 0;
  for (auto it = shares.begin(); it != shares.end(); ++it)
    if (it != top) second = std::max(second, *it);

  Bounds bounds;
  bounds.pa = std::max(0.0, *top - kShareError);
  bounds.pb = std::min(second + kShareError, std::nextafter(1 - bounds.pa, 1.0));
  return counted_result(votes, static_cast<size_t>(top - shares.begin()), bounds, certificates);
}

}  // namespace textcrs
