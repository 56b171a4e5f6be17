// From words to sequences of pieces, some of them masked: what a masked language model learns from.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "textcrs/text/wordpiece.h"
#include "textcrs/torch/masked_lm.h"

namespace textcrs {

// A part of a text as the encoder reads it.
struct PieceSequence {
  uint32_t text, part;
  std::vector<int32_t> pieces;  // [CLS], those of whole words, [SEP]
  std::vector<int32_t> words;   // where in `pieces` each word begins
};

// A text in sequences of at most `length` pieces, [CLS] and [SEP] included (length >= 3), with as
// many whole words as fit. Words of more pieces, and sequences of unknown words alone, are left
// out.
std::vector<PieceSequence> cut_text(uint32_t text, const std::vector<std::string>& words,
                                    const WordPiece& wordpiece, int length);

// sequences[indices] with words to guess, as in BERT's pretraining with whole words: a word is
// chosen with probability 0.15, and one of the sequence's if it has none, but never an unknown one.
// Of the pieces of chosen words, 80 % become [MASK], 10 % any piece that is not special, and the
// others stay. Keyed by (seed, text, epoch) and the part of the text.
MaskedBatch mask_words(const std::vector<PieceSequence>& sequences,
                       const std::vector<size_t>& indices, const WordPiece& wordpiece,
                       uint64_t seed, uint32_t epoch);

}  // namespace textcrs
