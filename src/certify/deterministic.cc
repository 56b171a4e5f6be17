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

void check(const Votes& votes, uint64_t outcomes, int words) {
  if (outcomes == 0 || outcomes > kMostOutcomes)
    throw usage_error(
        fmt::format("{} outcomes a text, expected 1 to {} to count them all; use fewer buckets, "
                    "fewer functions or shorter blocks",
                    outcomes, kMostOutcomes));
  if (words < 1)
    throw usage_error(fmt::format("the text has {} words, expected at least 1", words));
  if (votes.size() < 2 || *std::min_element(votes.begin(), votes.end()) < 0 ||
      std::accumulate(votes.begin(), votes.end(), int64_t{0}) > static_cast<int64_t>(outcomes))
    throw std::logic_error(
        fmt::format("certify_exactly: not votes of {} outcomes over two classes", outcomes));
}

}  // namespace

Certification certify_exactly(const Votes& votes, uint64_t outcomes, int words,
                              const Certificate* certificate) {
  check(votes, outcomes, words);
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
  if (!result.abstained && certificate) result.sound = certificate->certify(result.bounds, words);
  return result;
}

}  // namespace textcrs
