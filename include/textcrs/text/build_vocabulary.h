// Which words a model knows.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/word_vectors.h"

namespace TEXTCRS_API textcrs {

struct BuiltVocabulary {
  Vocabulary vocabulary;
  int64_t tokens = 0;          // in the texts
  int64_t covered_tokens = 0;  // tokens whose word has a vector
};

// The words of tokenized texts that occur at least `min_count` times and have a vector, and those
// without one that occur at least `min_count_without_vector` times ("a" and "i" in some editions of
// GloVe): most frequent first, ties by spelling. All others read as UNK.
BuiltVocabulary build_vocabulary(std::span<const std::vector<std::string>> texts,
                                 const WordVectors& vectors, int min_count,
                                 int min_count_without_vector);

// All words of the texts that occur at least `min_count` times, in the same order, and open: for
// models that read every word.
BuiltVocabulary build_open_vocabulary(std::span<const std::vector<std::string>> texts,
                                      int min_count);

}  // namespace textcrs
