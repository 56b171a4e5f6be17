// The hash of every word's spelling, for noises that may not depend on the numbers of words: an
// open vocabulary gives them in the order in which it meets words.
#pragma once

#include <cstdint>
#include <vector>

#include "textcrs/noise/word_hash.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {

// Thread-safe. The words that the vocabulary holds now are looked up fast, later ones slowly.
class Spellings {
 public:
  explicit Spellings(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {
    for (WordId id = 0; id < vocabulary.size(); ++id)
      known_.push_back(spelling_hash(vocabulary.word(id)));
  }

  // std::out_of_range for an id that was never given.
  uint64_t of(WordId word) const {
    const auto id = static_cast<size_t>(word);
    return id < known_.size() ? known_[id] : spelling_hash(vocabulary_.word(word));
  }
  // The order of word_priority.
  bool in_order(WordId x, WordId y) const {
    const uint64_t px = word_priority(of(x)), py = word_priority(of(y));
    return px != py ? px < py : x != y && vocabulary_.word(x) < vocabulary_.word(y);
  }

 private:
  Vocabulary vocabulary_;
  std::vector<uint64_t> known_;
};

}  // namespace textcrs
