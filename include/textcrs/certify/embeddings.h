// The vectors of the words, as the classifier sees them.
#pragma once

#include <cstddef>
#include <span>

#include "textcrs/base/api.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

// Does not own the rows. All are row-major and finite.
struct Embeddings {
  // (words, dimension) of the vocabulary's words; kPad's row is zero.
  std::span<const float> rows = {};
  int dimension = 0;
  // (own words, dimension) of the texts at hand, from id words() on.
  std::span<const float> own_rows = {};

  int words() const { return count(rows); }          // of the vocabulary
  int own_words() const { return count(own_rows); }  // beyond it
  bool has(WordId word) const { return word >= 0 && word < words() + own_words(); }
  // Requires has(word).
  std::span<const float> of(WordId word) const {
    const bool own = word >= words();
    const auto place = static_cast<size_t>(own ? word - words() : word);
    const auto width = static_cast<size_t>(dimension);
    return (own ? own_rows : rows).subspan(place * width, width);
  }

 private:
  int count(std::span<const float> some) const {
    return dimension > 0 ? static_cast<int>(some.size() / static_cast<size_t>(dimension)) : 0;
  }
};

}  // namespace textcrs
