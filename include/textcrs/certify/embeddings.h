// The vectors of the words, as the classifier sees them.
#pragma once

#include <cstddef>
#include <span>

#include "textcrs/text/vocabulary.h"

namespace textcrs {

// Does not own the rows.
struct Embeddings {
  std::span<const float> rows;  // (words, dimension), row-major, all finite; kPad's row is zero
  int dimension = 0;

  int words() const {
    return dimension > 0 ? static_cast<int>(rows.size() / static_cast<size_t>(dimension)) : 0;
  }
  std::span<const float> of(WordId word) const {
    return rows.subspan(static_cast<size_t>(word) * static_cast<size_t>(dimension),
                        static_cast<size_t>(dimension));
  }
};

}  // namespace textcrs
