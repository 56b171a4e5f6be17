// What a word adds to the first layer, ready made: a model that answers does not learn, so it is
// one row per word.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <vector>

#include "kernels/aligned.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {

// Rows are made when they are first asked for and kept. Thread-safe.
class WordRows {
 public:
  // make(word, row) writes the `size` floats of a word's row.
  using Make = std::function<void(WordId word, float* row)>;
  WordRows(int words, size_t size, Make make);
  ~WordRows();
  WordRows(const WordRows&) = delete;
  WordRows& operator=(const WordRows&) = delete;

  const float* of(WordId word) const {
    const float* ready = rows_[static_cast<size_t>(word)].load(std::memory_order_acquire);
    return ready != nullptr ? ready : add(word);
  }

 private:
  const float* add(WordId word) const;

  size_t size_;
  Make make_;
  mutable std::vector<std::atomic<const float*>> rows_;  // owned
};

}  // namespace textcrs
