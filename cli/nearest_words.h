// The nearest words of a word by the euclidean distance of their vectors.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "textcrs/certify/embeddings.h"

namespace textcrs::cli {

// Not thread-safe: keeps what it found. The rows must outlive it.
class NearestWords {
 public:
  NearestWords(const Embeddings& embeddings, int count)
      : embeddings_(embeddings), words_(embeddings.words()), count_(count) {}

  // Rows for more words, which may be asked about but are nobody's neighbours.
  void add_rows(const Embeddings& embeddings) { embeddings_ = embeddings; }

  // The `count` nearest other words, nearest first, ties by id. Special words are nobody's
  // neighbours, nor are words without a vector (all zero).
  std::span<const WordId> of(WordId word);

 private:
  std::vector<WordId> find(WordId word) const;

  Embeddings embeddings_;
  int words_, count_;
  std::unordered_map<WordId, std::vector<WordId>> found_;
};

}  // namespace textcrs::cli
