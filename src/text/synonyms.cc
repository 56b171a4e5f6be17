#include "textcrs/text/synonyms.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "text/synonym_lists.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/spec.h"
#include "textcrs/text/neighbours.h"

namespace textcrs {

SynonymTable::SynonymTable(std::string source, std::vector<std::vector<WordId>> lists)
    : source_(std::move(source)), lists_(std::move(lists)) {
  std::vector<WordId> sorted;
  for (size_t word = 0; word < lists_.size(); ++word) {
    sorted = lists_[word];
    std::sort(sorted.begin(), sorted.end());
    const bool special = word < static_cast<size_t>(kFirstWord) && !sorted.empty();
    const bool names_special = !sorted.empty() && sorted.front() < kFirstWord;
    const bool names_itself =
        std::binary_search(sorted.begin(), sorted.end(), static_cast<WordId>(word));
    const bool repeats = std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end();
    if (special || names_special || names_itself || repeats)
      throw std::logic_error(fmt::format("SynonymTable: the list of word {} breaks a rule", word));
  }
}

std::span<const WordId> SynonymTable::of(WordId word) const {
  if (word < 0 || word >= size()) return {};
  return lists_[static_cast<size_t>(word)];
}

SynonymTable SynonymTable::symmetric() const {
  size_t words = lists_.size();
  for (const auto& list : lists_)
    for (const WordId other : list) words = std::max(words, static_cast<size_t>(other) + 1);
  std::vector<std::vector<WordId>> sorted = lists_;
  for (auto& list : sorted) std::sort(list.begin(), list.end());
  sorted.resize(words);

  SynonymTable result = *this;
  result.lists_.resize(words);
  for (size_t word = 0; word < lists_.size(); ++word) {  // ascending, so what is appended is too
    const auto id = static_cast<WordId>(word);
    for (const WordId other : lists_[word]) {
      const auto& back = sorted[static_cast<size_t>(other)];
      if (!std::binary_search(back.begin(), back.end(), id))
        result.lists_[static_cast<size_t>(other)].push_back(id);
    }
  }
  return result;
}

SynonymTable SynonymTable::by_clusters(const Vocabulary& vocabulary) const {
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(vocabulary.size()));
  for (WordId spelling = 0; spelling < size(); ++spelling) {
    const WordId word = vocabulary.id_of_spelling(spelling);
    std::vector<WordId>& list = lists[static_cast<size_t>(word)];
    for (const WordId candidate : of(spelling)) {
      const WordId other = vocabulary.id_of_spelling(candidate);
      if (other != word) list.push_back(other);
    }
  }
  remove_repeats(lists);
  return SynonymTable(source_, std::move(lists));
}

bool SynonymTable::is_symmetric() const { return !one_sided(); }

std::optional<std::pair<WordId, WordId>> SynonymTable::one_sided() const {
  std::vector<std::vector<WordId>> listing(lists_.size());  // each word, ascending
  for (size_t word = 0; word < lists_.size(); ++word)
    for (const WordId other : lists_[word]) {
      if (other >= size()) return std::pair(static_cast<WordId>(word), other);
      listing[static_cast<size_t>(other)].push_back(static_cast<WordId>(word));
    }
  for (size_t word = 0; word < lists_.size(); ++word) {
    std::vector<WordId> list = lists_[word];
    std::sort(list.begin(), list.end());
    for (const WordId other : listing[word])
      if (!std::binary_search(list.begin(), list.end(), other))
        return std::pair(other, static_cast<WordId>(word));
  }
  return std::nullopt;
}

SynonymTable SynonymTable::from_vectors(const WordVectors& vectors, const Vocabulary& vocabulary,
                                        int count, double floor) {
  std::vector<WordId> words;  // those with a vector, by id
  std::vector<int> rows;      // theirs
  for (WordId word = kFirstWord; word < vocabulary.size(); ++word) {
    if (const auto row = vectors.find(vocabulary.word(word))) {
      words.push_back(word);
      rows.push_back(*row);
    }
  }
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(vocabulary.size()));
  if (!rows.empty()) {
    std::vector<WordId> word_at(static_cast<size_t>(vectors.size()), kUnk);
    for (size_t i = 0; i < rows.size(); ++i) word_at[static_cast<size_t>(rows[i])] = words[i];
    const auto found = load_or_build_neighbours(vectors, rows, count, available_cores(), rows);
    for (size_t i = 0; i < words.size(); ++i)
      for (const Neighbour& neighbour : found[i])
        if (neighbour.similarity >= floor)
          lists[static_cast<size_t>(words[i])].push_back(
              word_at[static_cast<size_t>(neighbour.row)]);
  }
  return SynonymTable(
      fmt::format("the {} nearest words by cosine, at least {} similar", count, shortest(floor)),
      std::move(lists));
}

}  // namespace textcrs
