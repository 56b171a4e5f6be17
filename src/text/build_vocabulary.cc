#include "textcrs/text/build_vocabulary.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace textcrs {
namespace {

using Counts = std::unordered_map<std::string_view, int64_t>;

Counts count_words(std::span<const std::vector<std::string>> texts) {
  Counts counts;
  for (const auto& text : texts)
    for (const auto& word : text) ++counts[word];
  return counts;
}

// Most frequent first, ties by spelling.
Vocabulary in_order(std::vector<std::pair<int64_t, std::string_view>> kept,
                    Vocabulary::Growth growth) {
  std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second < b.second;
  });
  std::vector<std::string> words;
  words.reserve(kept.size());
  for (const auto& [count, word] : kept) words.emplace_back(word);
  return Vocabulary(words, growth);
}

}  // namespace

BuiltVocabulary build_vocabulary(std::span<const std::vector<std::string>> texts,
                                 const WordVectors& vectors, int min_count,
                                 int min_count_without_vector) {
  BuiltVocabulary built;
  std::vector<std::pair<int64_t, std::string_view>> kept;
  for (const auto& [word, count] : count_words(texts)) {
    const bool has_vector = vectors.find(word).has_value();
    built.tokens += count;
    if (has_vector) built.covered_tokens += count;
    if (count >= (has_vector ? min_count : min_count_without_vector))
      kept.emplace_back(count, word);
  }
  built.vocabulary = in_order(std::move(kept), Vocabulary::Growth::kClosed);
  return built;
}

BuiltVocabulary build_open_vocabulary(std::span<const std::vector<std::string>> texts,
                                      int min_count) {
  BuiltVocabulary built;
  std::vector<std::pair<int64_t, std::string_view>> kept;
  for (const auto& [word, count] : count_words(texts)) {
    built.tokens += count;
    built.covered_tokens += count;
    if (count >= min_count) kept.emplace_back(count, word);
  }
  built.vocabulary = in_order(std::move(kept), Vocabulary::Growth::kOpen);
  return built;
}

}  // namespace textcrs
