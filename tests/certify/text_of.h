// A text of which only the number of words matters.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

#include "textcrs/text/vocabulary.h"

namespace textcrs {

// `words` different words.
inline std::vector<WordId> text_of(int words) {
  std::vector<WordId> text(static_cast<size_t>(words));
  std::iota(text.begin(), text.end(), kFirstWord);
  return text;
}

}  // namespace textcrs
