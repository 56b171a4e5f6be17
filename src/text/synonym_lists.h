// Lists of candidates while a table is made of them.
#pragma once

#include <utility>
#include <vector>

#include "textcrs/text/vocabulary.h"

namespace textcrs {

// Of every word that a list names more than once, the first stays. Words are from 0 to the number
// of lists. In time linear in their sizes: a file may list every word for every word.
inline void remove_repeats(std::vector<std::vector<WordId>>& lists) {
  std::vector<size_t> named_by(lists.size(), lists.size());  // the last list that named the word
  for (size_t i = 0; i < lists.size(); ++i)
    std::erase_if(lists[i], [&](WordId word) {
      const size_t before = std::exchange(named_by[static_cast<size_t>(word)], i);
      return before == i;
    });
}

}  // namespace textcrs
