#include "textcrs/attack/word_synonyms.h"

#include <algorithm>

namespace textcrs {

WordSynonyms::WordSynonyms(Vocabulary vocabulary, SynonymTable table, size_t count)
    : vocabulary_(std::move(vocabulary)), table_(std::move(table)), count_(count) {}

std::vector<std::string> WordSynonyms::of(std::string_view word) const {
  const std::span<const WordId> ids = table_.of(vocabulary_.id(word));
  std::vector<std::string> words;
  for (const WordId id : ids.first(std::min(ids.size(), count_)))
    words.push_back(vocabulary_.word(id));
  return words;
}

}  // namespace textcrs
