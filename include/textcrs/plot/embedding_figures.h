// Charts of word vectors: how far words are from each other, and what their numbers are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/plot/chart.h"

namespace TEXTCRS_API textcrs {
namespace plot {

struct WordMatrix {
  std::string name;
  size_t dimension = 0;
  std::vector<float> values;  // (words, dimension), finite, row-major

  size_t words() const { return dimension == 0 ? 0 : values.size() / dimension; }
};

// "glove" or a file of word vectors (data/sources.h), or what holds the weights of an encoder or a
// model: "minilm", a folder, a .safetensors file. Rows that are all zero are left out. An Error for
// anything else, also where no row is left.
WordMatrix load_word_matrix(const std::string& source);

// Of so many words, drawn by `seed`, or of all where there are no more: the euclidean distances to
// the `count` nearest other words of the matrix, ascending. Exact up to float rounding, whatever
// the number of threads. A std::logic_error unless the matrix has more than `count` words.
std::vector<std::vector<float>> nearest_distances(const WordMatrix& matrix, size_t count,
                                                  size_t words, uint64_t seed, int threads,
                                                  StopToken stop = {});

struct DistanceOptions {
  std::string title = {};
  std::vector<size_t> ranks = {1, 3, 5, 10, 50};
  size_t words = 1000;
  uint64_t seed = 1;
  int threads = 1;
};

// Per matrix a row of two panels, with a curve per rank k: the density of the distance between a
// word and one of its k nearest, and the share of such pairs that are no further from each other. A
// usage Error for no matrix, no rank, 0 words, and a rank that is 0 or that a matrix has no words
// for.
Chart distance_chart(const std::vector<WordMatrix>& matrices, const DistanceOptions& options = {},
                     StopToken stop = {});

struct ValueOptions {
  std::string title = {};
  size_t dimensions = 10;  // drawn by `seed`, or all where there are no more
  uint64_t seed = 1;
};

// Per matrix a panel: the distribution of the numbers in some dimensions, each with the normal
// distribution of its mean and deviation, dashed; one dimension above the other, in one scale.
// Dimensions in which all words have the same number are left out. A usage Error for no matrix, 0
// dimensions, and where nothing is left.
Chart value_chart(const std::vector<WordMatrix>& matrices, const ValueOptions& options = {});

}  // namespace plot
}  // namespace textcrs
