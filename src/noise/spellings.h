// The hash of every word's spelling, for noises that may not depend on the numbers of words: a
// text's own words have theirs in the order in which they were met.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "textcrs/noise/word_hash.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {

// Thread-safe. The words of the vocabulary are looked up fast, own words slowly.
class Spellings {
 public:
  explicit Spellings(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
    for (WordId id = 0; id < vocabulary.size(); ++id)
      known_.push_back(spelling_hash(vocabulary.word(id)));
  }

  // std::out_of_range for an id that was never given.
  uint64_t of(WordId word, std::span<const std::string> own) const {
    const auto id = static_cast<size_t>(word);
    return id < known_.size() ? known_[id] : spelling_hash(vocabulary_.word(word, own));
  }
  // The order of word_priority.
  bool in_order(WordId x, WordId y, std::span<const std::string> own) const {
    const uint64_t px = word_priority(of(x, own)), py = word_priority(of(y, own));
    return px != py ? px < py : x != y && vocabulary_.word(x, own) < vocabulary_.word(y, own);
  }

 private:
  Vocabulary vocabulary_;
  std::vector<uint64_t> known_;
};

}  // namespace textcrs
