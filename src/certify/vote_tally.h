// The sums of a text's votes, and what the answer may lose.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "textcrs/certify/votes.h"

namespace textcrs {

struct VoteTally {
  std::vector<int64_t> totals;  // one per class
  size_t answer = 0;            // ties go to the lowest index

  explicit VoteTally(std::vector<int64_t> bias) : totals(std::move(bias)) {}

  // Scores (units, classes), each between -kLargestScore and kLargestScore (std::logic_error).
  void add(std::span<const int32_t> scores) {
    const size_t classes = totals.size();
    for (size_t first = 0; first < scores.size(); first += classes)
      for (size_t c = 0; c < classes; ++c) {
        const int32_t score = scores[first + c];
        if (score > kLargestScore || score < -kLargestScore)
          throw std::logic_error("VoteTally: a score is too large");
        totals[c] += score;
      }
    answer = static_cast<size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
  }

  // What of a lead over another class may be used up, but not more: to be ahead by 0 is enough
  // where the answer wins ties. With a threshold it must stay above that.
  int64_t slack(int64_t lead, size_t other, std::optional<int64_t> threshold) const {
    return lead - (threshold ? *threshold + 1 : answer < other ? 0 : 1);
  }
  int64_t slack(size_t other, std::optional<int64_t> threshold) const {
    return slack(totals[answer] - totals[other], other, threshold);
  }
};

// s_answer - s_other of each unit.
inline std::vector<int32_t> leads_of(std::span<const int32_t> scores, size_t classes, size_t answer,
                                     size_t other) {
  std::vector<int32_t> leads(scores.size() / classes);
  for (size_t unit = 0; unit < leads.size(); ++unit)
    leads[unit] = scores[unit * classes + answer] - scores[unit * classes + other];
  return leads;
}

// The sums of the largest losses above 0, until they are above `most`: VoteCurve::losses.
// (Few are taken, so few are sorted: those above a half, a quarter, .. of the largest.)
template <typename Number>
std::vector<int64_t> largest_losses(const std::vector<Number>& losses, int64_t most) {
  Number cut = 0;
  for (const Number loss : losses) cut = std::max(cut, loss);
  for (int64_t sum = 0; cut > 0 && sum <= most;) {
    cut /= 2;
    sum = 0;
    for (const Number loss : losses) sum += loss > cut ? loss : 0;
  }
  std::vector<Number> largest(losses.size());
  size_t size = 0;
  for (const Number loss : losses) {  // without a branch: it could not be foretold
    largest[size] = loss;
    size += loss > cut ? 1 : 0;
  }
  largest.resize(size);
  std::sort(largest.begin(), largest.end(), std::greater<>());
  std::vector<int64_t> sums = {0};
  sums.reserve(size + 1);
  for (size_t i = 0; i < size && sums.back() <= most; ++i) sums.push_back(sums.back() + largest[i]);
  return sums;
}

}  // namespace textcrs
