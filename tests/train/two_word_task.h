// A task that a small word model learns in seconds.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "textcrs/base/stream.h"
#include "textcrs/train/trainer.h"

namespace textcrs {

// w0 twice among other words makes it class 0, w1 twice class 1; there are 2 to 1 + `others`
// others.
inline std::vector<EncodedText> two_word_task(uint32_t count, uint32_t others = 8) {
  std::vector<EncodedText> texts;
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(77, i, 0);
    const int label = static_cast<int>(stream.below(2));
    std::vector<WordId> words(2, kFirstWord + label);
    for (uint32_t rest = 2 + stream.below(others); rest > 0; --rest)
      words.push_back(static_cast<WordId>(kFirstWord + 2 + stream.below(18)));
    stream.shuffle(std::span(words));
    texts.push_back({i, std::move(words), label});
  }
  return texts;
}

}  // namespace textcrs
