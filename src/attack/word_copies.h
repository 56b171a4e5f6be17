// Texts as an engine takes them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "textcrs/base/error.h"
#include "textcrs/model/classifier.h"
#include "textcrs/model/copy_batch.h"

namespace textcrs {

// Texts of words by their ids; the words that an open vocabulary does not hold are shared by all.
class WordCopies {
 public:
  WordCopies(const Vocabulary& vocabulary, std::span<const std::vector<std::string>> texts) {
    batch_.copies.reserve(texts.size());
    for (const auto& words : texts) batch_.copies.push_back(vocabulary.encode(words, own_));
    if (!own_.list().empty()) batch_.own.assign(texts.size(), own_.list());
  }
  WordCopies(const WordCopies&) = delete;
  WordCopies& operator=(const WordCopies&) = delete;

  const CopyBatch& batch() const { return batch_; }
  Text text(size_t i) const { return {batch_.copies[i], own_.list()}; }

 private:
  OwnWords own_;
  CopyBatch batch_;
};

// A usage Error for a model that reads sentences as its units.
inline void check_words_are_units(const Classifier& classifier) {
  if (classifier.config().units != Units::kWords)
    throw usage_error("attacks edit words, and the model's units are sentences");
}

}  // namespace textcrs
