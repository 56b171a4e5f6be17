// Which words of a text an answer hangs on: measured, not proved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// A word of a text, wherever it stands there.
struct Influence {
  std::string word;
  std::vector<size_t> positions;  // from 0, ascending
  double change = 0;              // of the class's share of the votes when the word is removed
};

struct Explanation {
  double share = 0;  // of the votes for the class, all words there
  // The words whose removal changes it, the largest change first; of equals the earlier word.
  std::vector<Influence> words;
};

struct ExplainOptions {
  size_t words = 5;        // that are listed, at most
  uint32_t copies = 1000;  // noisy copies per removed word
  // Of a text with more different words than this, a first pass with a tenth of the copies chooses
  // that many; only they are measured with all copies, drawn anew.
  size_t measured = 20;
};

}  // namespace textcrs
