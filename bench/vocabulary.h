// Made-up words, texts and synonyms, the same at every run.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "textcrs/base/stream.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs::bench {

inline Vocabulary made_up_vocabulary(int size,
                                     Vocabulary::Growth growth = Vocabulary::Growth::kClosed) {
  std::vector<std::string> words;
  for (int i = 0; i < size; ++i) words.push_back(fmt::format("word{}", i));
  return Vocabulary(words, growth);
}

inline std::vector<WordId> made_up_text(const Vocabulary& vocabulary, int words) {
  Stream stream(1, 0, 0);
  std::vector<WordId> text;
  for (int i = 0; i < words; ++i)
    text.push_back(kFirstWord + static_cast<WordId>(stream.below(
                                    static_cast<uint32_t>(vocabulary.size()) - kFirstWord)));
  return text;
}

// Words within `reach` ids of each other are synonyms, nearest first.
inline SynonymTable made_up_synonyms(const Vocabulary& vocabulary, int reach) {
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(vocabulary.size()));
  for (WordId word = kFirstWord; word < vocabulary.size(); ++word)
    for (int step = 1; step <= reach; ++step)
      for (WordId other : {word - step, word + step})
        if (other >= kFirstWord && other < vocabulary.size())
          lists[static_cast<size_t>(word)].push_back(other);
  return SynonymTable("made up", std::move(lists));
}

}  // namespace textcrs::bench
