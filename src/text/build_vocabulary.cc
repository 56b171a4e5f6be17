#include "textcrs/text/build_vocabulary.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace textcrs {

BuiltVocabulary build_vocabulary(std::span<const std::vector<std::string>> texts,
                                 const WordVectors& vectors, int min_count,
                                 int min_count_without_vector) {
  std::unordered_map<std::string_view, int64_t> counts;
  for (const auto& text : texts)
    for (const auto& word : text) ++counts[word];

  BuiltVocabulary built;
  std::vector<std::pair<int64_t, std::string_view>> kept;
  for (const auto& [word, count] : counts) {
    const bool has_vector = vectors.find(word).has_value();
    built.tokens += count;
    if (has_vector) built.covered_tokens += count;
    if (count >= (has_vector ? min_count : min_count_without_vector))
      kept.emplace_back(count, word);
  }
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> words;
  words.reserve(kept.size());
  for (const auto& [count, word] : kept) words.emplace_back(word);
  built.vocabulary = Vocabulary(words);
  return built;
}

}  // namespace textcrs
