// How the probability that a word is deleted depends on the number of words (docs/certificates.md,
// B13). The noise draws with it and the certificate reads it: what is proved is what is drawn.
#pragma once

#include <vector>

#include "textcrs/noise/parameters.h"

namespace textcrs {

// Lengths fall into bins: [0, 1], and from there on bins whose first lengths grow by the factor
// `growth`, rounded down, but by at least one word. On a bin the probability is 1 - K / (the middle
// of the bin), at least `least` and at most `most`. Neighbours of the same probability are one bin.
class DeletionRates {
 public:
  struct Bin {
    int first = 0;  // the shortest text of the bin; it ends where the next one begins
    double p = 0;   // as it is given to a coin
  };

  explicit DeletionRates(const AdaptParameters& parameters);

  const std::vector<Bin>& bins() const { return bins_; }  // by length, at least one

  // The bin of texts of so many words.
  size_t bin_of(int words) const;
  // The longest texts of a bin; the longest of all for the last one.
  int last_of(size_t bin) const;

 private:
  std::vector<Bin> bins_;
};

}  // namespace textcrs
