#include "textcrs/certified/nearest_words.h"

#include <algorithm>

namespace textcrs {

std::span<const WordId> NearestWords::of(WordId word) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto place = found_.find(word); place != found_.end()) return place->second;
  }
  std::vector<WordId> nearest = find(embeddings_.of(word), word);
  const std::lock_guard lock(mutex_);
  return found_.try_emplace(word, std::move(nearest)).first->second;
}

std::vector<WordId> NearestWords::of(std::span<const float> vector) const {
  return find(vector, kPad);
}

std::vector<WordId> NearestWords::find(std::span<const float> vector, WordId self) const {
  std::vector<std::pair<float, WordId>> others;
  for (WordId other = kFirstWord; other < embeddings_.words(); ++other) {
    const auto to = embeddings_.of(other);
    float square = 0, length = 0;
    for (size_t d = 0; d < to.size(); ++d) {
      square += (vector[d] - to[d]) * (vector[d] - to[d]);
      length += to[d] * to[d];
    }
    if (other != self && length > 0) others.emplace_back(square, other);
  }
  const size_t count = std::min(others.size(), static_cast<size_t>(count_));
  std::partial_sort(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count),
                    others.end());
  std::vector<WordId> nearest;
  for (size_t i = 0; i < count; ++i) nearest.push_back(others[i].second);
  return nearest;
}

SingleEdits single_edits_by(const NearestWords& near, const Embeddings& embeddings, int slots,
                            Text text, double radius) {
  std::unordered_map<WordId, std::vector<WordId>> of_own_words;
  const auto near_words = [&](WordId word) -> std::span<const WordId> {
    if (word < embeddings.words()) return near.of(word);
    const auto [place, is_new] = of_own_words.try_emplace(word);
    if (is_new) place->second = near.of(embeddings.of(word));
    return place->second;
  };
  return EmbeddingChange(embeddings, slots).single_edits(text, near_words, radius);
}

}  // namespace textcrs
