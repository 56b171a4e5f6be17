// The synonym graph: the words, and an edge between two words that may replace each other. Every
// function here takes a symmetric SynonymTable.
#pragma once

#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/text/synonyms.h"

namespace TEXTCRS_API textcrs {

// Keeps v in of(w) iff v is among the first `count` of w's list and w among the first `count` of
// v's: the result is symmetric again, and no list is longer than `count`. Lists keep their order.
SynonymTable keep_mutual(const SynonymTable& table, int count);

// The words at a distance of 0 .. reach edges from `word`, with their distances, nearest first; at
// equal distance in the order in which the lists name them.
std::vector<std::pair<WordId, int>> words_within(const SynonymTable& table, WordId word, int reach);

// A fixed partition of the words into clusters of at most `size`: cluster[w] is the smallest id of
// w's cluster. Edges are taken from the closest pair of words to the farthest (by the sum of the
// two ranks, then by ids), and join their two clusters whenever the union is small enough; a
// connected component of at most `size` words is therefore one cluster. Special words stay alone.
std::vector<WordId> cluster_synonyms(const SynonymTable& table, int size);

}  // namespace textcrs
