// The first layer over words that may be replaced by their candidates.
#pragma once

#include <span>
#include <vector>

#include "engine/interval_arithmetic.h"
#include "engine/word_rows.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

// A linear map of word vectors, y = W x + b, made once per word. Thread-safe.
class WordBoxes {
 public:
  // W is (columns, D), b (columns). A bad_input Error for numbers that are not finite, or so large
  // that sums could overflow. The classifier must outlive it.
  WordBoxes(const Classifier& classifier, const std::vector<float>& weight,
            std::vector<double> bias);

  size_t columns() const { return bias_.size(); }
  // y of a word, its sums in double precision, rounded to float: what the evaluation of a text
  // reads.
  const float* row(WordId word) const { return rows_.of(word); }
  // The smallest box that holds the rows of the word and of all its candidates, and, a little
  // wider, the exact y of each. This is tighter than the image of the vectors' own box.
  void box(WordId word, std::span<double> low, std::span<double> high) const;
  // No row is larger: one number per column.
  std::span<const double> magnitudes() const { return magnitudes_; }

 private:
  void make_row(WordId word, float* row) const;

  const Classifier& classifier_;
  size_t dimension_;
  std::vector<float> weight_;  // (D, columns)
  std::vector<double> bias_, magnitudes_;
  WordRows rows_;
};

}  // namespace textcrs
