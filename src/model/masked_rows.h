// What a masked language model is asked about a place in a text, and what its answer says.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/model/word_guess.h"
#include "textcrs/text/wordpiece.h"

namespace TEXTCRS_API textcrs {

struct MaskedPieces {
  std::vector<int32_t> pieces;
  size_t place;  // of [MASK] in `pieces`
};

// [CLS], the words around the place with [MASK] at it, [SEP]: whole words, the nearest first and
// as many on either side where there are, in at most `longest` pieces, which is 3 or more.
// place <= words.size().
MaskedPieces rows_around(const std::vector<std::string>& words, size_t place,
                         const WordPiece& wordpiece, int longest);

// The pieces that stand for a word: written into a text, they are read as themselves.
std::vector<int32_t> pieces_that_are_words(const WordPiece& wordpiece);

// The `count` most probable of the `guessable` pieces, or all of them, the most probable first,
// ties to the lowest id. A probability per piece of the tokenizer.
std::vector<WordGuess> best_guesses(std::span<const double> probabilities,
                                    std::vector<int32_t> guessable, const WordPiece& wordpiece,
                                    int count);

}  // namespace textcrs
