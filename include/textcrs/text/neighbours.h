// Exact nearest neighbours by cosine: a blocked matrix product with a running top-k.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "textcrs/text/word_vectors.h"

namespace textcrs {

struct Neighbour {
  int row;           // in the WordVectors
  float similarity;  // cosine, in [-1, 1]
};

// For every query row its `count` most similar other rows, best first; ties by row. Exact over the
// whole table. Rows of zero length have no neighbours and are nobody's.
std::vector<std::vector<Neighbour>> nearest_neighbours(const WordVectors& vectors,
                                                       std::span<const int> queries, int count,
                                                       int threads);

}  // namespace textcrs
