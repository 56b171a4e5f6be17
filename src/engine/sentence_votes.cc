#include "engine/sentence_votes.h"

#include <algorithm>
#include <cmath>

#include "textcrs/base/error.h"

namespace textcrs {

std::vector<int32_t> sentence_votes(std::span<const double> scores, size_t classes) {
  std::vector<int32_t> votes;
  votes.reserve(scores.size());
  for (size_t first = 0; first < scores.size(); first += classes) {
    const std::span<const double> row = scores.subspan(first, classes);
    if (!std::all_of(row.begin(), row.end(), [](double score) { return std::isfinite(score); }))
      throw bad_input("the model's scores of a sentence are not finite");
    const double highest = *std::max_element(row.begin(), row.end());
    double sum = 0;
    for (const double score : row) sum += std::exp(score - highest);
    for (const double score : row)
      votes.push_back(
          static_cast<int32_t>(std::lround(kWholeVote * (std::exp(score - highest) / sum))));
  }
  return votes;
}

}  // namespace textcrs
