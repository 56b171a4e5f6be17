// What holds for every table of word vectors.
#pragma once

#include "textcrs/text/word_vectors.h"

namespace textcrs::fuzz {

// Its words are found and its numbers are finite; written as GloVe's text and as wink's JSON it is
// the same table.
void check_converted(const WordVectors& vectors);

}  // namespace textcrs::fuzz
