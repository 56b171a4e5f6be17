#include "train/word_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_set>

#include "text/utf8.h"
#include "textcrs/base/error.h"
#include "textcrs/noise/parameters.h"
#include "textcrs/noise/synonym_graph.h"
#include "textcrs/text/build_vocabulary.h"

namespace textcrs {
namespace {

constexpr int kMostFrequent = 50000;  // words of the vectors that join those of the texts

bool is_one_word(const std::string& word, const SplitWords& split) {
  const std::vector<std::string> words = split(word);
  return words.size() == 1 && words[0] == word;
}

// The words that may be in clusters: those of the table, and of glove, which has none of its own,
// those of the texts and the most frequent ones.
std::vector<std::string> words_of_table(const PrepareOptions& options, const TextWords& texts) {
  if (options.canonical.source != "glove") return options.canonical.words();
  std::vector<std::string> words;
  const Vocabulary seen = build_open_vocabulary(texts, 1).vocabulary;
  for (WordId id = kFirstWord; id < seen.size(); ++id) words.push_back(seen.word(id));
  const WordVectors vectors = open_vectors(options.vectors);
  for (int row = 0; row < std::min(kMostFrequent, vectors.size()); ++row)
    words.emplace_back(vectors.word(row));
  return words;
}

std::unordered_map<std::string, int64_t> count_words(const TextWords& texts) {
  std::unordered_map<std::string, int64_t> counts;
  for (const auto& text : texts)
    for (const std::string& word : text) ++counts[word];
  return counts;
}

// The clusters of two words or more, each in the order of the ids.
std::vector<std::vector<WordId>> clusters_of(const SynonymTable& table, int size) {
  std::map<WordId, std::vector<WordId>> by_first;
  const std::vector<WordId> cluster = cluster_synonyms(table, size);
  for (WordId word = 0; word < table.size(); ++word)
    by_first[cluster[static_cast<size_t>(word)]].push_back(word);
  std::vector<std::vector<WordId>> list;
  for (auto& [first, words] : by_first)
    if (words.size() > 1) list.push_back(std::move(words));
  return list;
}

}  // namespace

WordReading::WordReading(const PrepareOptions& options, const TextWords& texts,
                         const SplitWords& split, const WordVectors* vectors)
    : stop_words_(find_stop_words_of(Spec::parse(options.model.noise))) {
  for (const std::string& word : stop_words_.words)
    if (!is_one_word(word, split))
      throw usage_error(
          fmt::format("stop words {}: found {}, expected words as the model reads them",
                      stop_words_.name, in_quotes(word)));
  if (options.canonical.given()) find_clusters(options, texts, split, vectors);
}

void WordReading::find_clusters(const PrepareOptions& options, const TextWords& texts,
                                const SplitWords& split, const WordVectors* vectors) {
  if (options.cluster_size < 2)
    throw usage_error(
        fmt::format("clusters of at most {} words, expected at least 2", options.cluster_size));
  std::unordered_set<std::string> left_out(stop_words_.words.begin(), stop_words_.words.end());
  std::vector<std::string> words;
  for (std::string& word : words_of_table(options, texts))
    if (is_one_word(word, split) && left_out.insert(word).second) words.push_back(std::move(word));
  const Vocabulary known(words);
  const SynonymTable table = options.canonical.load(known, options.vectors);
  canonical_ = fmt::format("{}, of at most {} words", table.source(), options.cluster_size);

  auto counts = count_words(texts);
  const auto rank = [&](WordId id) {
    const std::string& word = known.word(id);
    const int64_t count = counts[word];
    const bool is_known =
        vectors == nullptr || vectors->find(word).has_value() || count >= kFrequentWithoutVector;
    return std::tuple(!is_known, -count, id);
  };
  for (std::vector<WordId>& ids : clusters_of(table, options.cluster_size)) {
    const auto first = std::min_element(ids.begin(), ids.end(),
                                        [&](WordId a, WordId b) { return rank(a) < rank(b); });
    std::rotate(ids.begin(), first, first + 1);
    std::vector<std::string>& cluster = clusters_.emplace_back();
    for (const WordId id : ids) cluster.push_back(known.word(id));
    for (size_t i = 1; i < cluster.size(); ++i) first_of_.emplace(cluster[i], cluster[0]);
  }
  if (clusters_.empty())
    throw usage_error(
        fmt::format("the table {} has no two words that replace each other", table.source()));
}

const std::string& WordReading::first_of(const std::string& word) const {
  const auto found = first_of_.find(word);
  return found == first_of_.end() ? word : found->second;
}

void WordReading::apply(TextWords& texts) const {
  if (first_of_.empty()) return;
  for (auto& text : texts)
    for (std::string& word : text)
      if (const auto found = first_of_.find(word); found != first_of_.end()) word = found->second;
}

Vocabulary WordReading::complete(const Vocabulary& seen) const {
  if (clusters_.empty() && stop_words_.name.empty()) return seen;
  std::vector<std::string> words;
  std::unordered_set<std::string> held;
  const auto add = [&](const std::string& word) {
    if (held.insert(word).second) words.push_back(word);
  };
  for (WordId id = kFirstWord; id < seen.size(); ++id) add(seen.word(id));
  for (const std::string& word : stop_words_.words) add(word);
  if (seen.is_open())
    for (const auto& cluster : clusters_) add(cluster[0]);
  Clusters known;
  for (const auto& cluster : clusters_)
    if (held.contains(cluster[0])) known.push_back(cluster);
  if (!clusters_.empty() && known.empty())
    throw usage_error(fmt::format("no word of the texts is in a cluster ({})", canonical_));
  const Vocabulary complete =
      Vocabulary(words, seen.is_open() ? Vocabulary::Growth::kOpen : Vocabulary::Growth::kClosed)
          .with_clusters(known);
  return stop_words_.name.empty() ? complete : complete.with_stop_words(stop_words_);
}

}  // namespace textcrs
