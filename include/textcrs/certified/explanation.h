// Which words of a text an answer hangs on: measured, not proved, or counted where the noise has
// few outcomes. It says nothing of several words at once.
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
  // Noisy copies that were drawn of each text for these shares; 0: all outcomes were counted, so
  // that the shares are those of certify(), to within kShareError.
  uint32_t copies = 0;
  bool drawn = false;  // whether any copies were drawn, if only to choose the words to count
  // The words whose removal changes it, the largest change first; of equals the earlier word.
  std::vector<Influence> words;
};

struct ExplainOptions {
  size_t words = 5;        // that are listed, at most
  uint32_t copies = 1000;  // noisy copies per removed word
  // Of a text with more different words than this, a first pass with a tenth of the copies chooses
  // that many; only they are measured with all copies, drawn anew, or counted.
  size_t measured = 20;
};

}  // namespace textcrs
