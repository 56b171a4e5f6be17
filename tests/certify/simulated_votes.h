// Votes of a base classifier whose class probabilities are known.
#pragma once

#include <vector>

#include "textcrs/base/stream.h"
#include "textcrs/certify/certifier.h"

namespace textcrs {

// Sample s of text `example` votes for class c with probability shares[c]; the shares add up to 1.
inline VoteSource simulated_votes(std::vector<double> shares, uint64_t seed, uint32_t example) {
  return [shares = std::move(shares), seed, example](uint32_t begin, uint32_t end) {
    Votes counts(shares.size());
    for (uint32_t sample = begin; sample < end; ++sample) {
      double at = Stream(seed, example, sample).uniform();
      size_t c = 0;
      while (c + 1 < shares.size() && at >= shares[c]) at -= shares[c++];
      ++counts[c];
    }
    return counts;
  };
}

}  // namespace textcrs
