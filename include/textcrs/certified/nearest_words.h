// The nearest words of a vocabulary by the euclidean distance of their vectors, and what single
// edits by them a certificate covers.
#pragma once

#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certify/embedding_change.h"

namespace TEXTCRS_API textcrs {

// Thread-safe; keeps what it found. The rows must outlive it.
class NearestWords {
 public:
  // Of `embeddings` only the vocabulary's rows are read.
  NearestWords(const Embeddings& embeddings, int count)
      : embeddings_{embeddings.rows, embeddings.dimension, {}}, count_(count) {}

  // The `count` nearest other words, nearest first, ties by id. Special words are nobody's
  // neighbours, nor are words without a vector (all zero). The result lives as long as this object.
  std::span<const WordId> of(WordId word) const;
  // The same for a word that the vocabulary does not hold, by its vector.
  std::vector<WordId> of(std::span<const float> vector) const;

 private:
  std::vector<WordId> find(std::span<const float> vector, WordId self) const;

  Embeddings embeddings_;
  int count_;
  mutable std::mutex mutex_;  // of found_; an entry never changes
  mutable std::unordered_map<WordId, std::vector<WordId>> found_;
};

// The edits of one word of `text` by the nearest neighbours of its words, and how many of them
// change it by at most `radius`. `embeddings` are those of `near`, with rows for the text's own
// words. Thread-safe.
SingleEdits single_edits_by(const NearestWords& near, const Embeddings& embeddings, int slots,
                            Text text, double radius);

}  // namespace textcrs
