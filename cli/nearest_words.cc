#include "nearest_words.h"

#include <algorithm>

namespace textcrs::cli {

std::span<const WordId> NearestWords::of(WordId word) {
  const auto [place, fresh] = found_.try_emplace(word);
  if (fresh) place->second = find(word);
  return place->second;
}

std::vector<WordId> NearestWords::find(WordId word) const {
  const auto from = embeddings_.of(word);
  std::vector<std::pair<float, WordId>> others;
  for (WordId other = kFirstWord; other < words_; ++other) {
    const auto to = embeddings_.of(other);
    float square = 0, length = 0;
    for (size_t d = 0; d < to.size(); ++d) {
      square += (from[d] - to[d]) * (from[d] - to[d]);
      length += to[d] * to[d];
    }
    if (other != word && length > 0) others.emplace_back(square, other);
  }
  const size_t count = std::min(others.size(), static_cast<size_t>(count_));
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count),
                    others.end());
  std::vector<WordId> nearest;
  for (size_t i = 0; i < count; ++i) nearest.push_back(others[i].second);
  return nearest;
}

}  // namespace textcrs::cli
