// Exact nearest neighbours by cosine: a blocked matrix product with a running top-k.
//
// Their cache file, little endian:
//
//      0  char[8]  "TCRSNBR\0"
//      8  u32      version, 1
//     12  u32      count, the longest a list may be
//     16  u64      number of queries
//     24  u64      number of neighbours in all lists
//     32  u8[64]   SHA-512 of the request: fingerprint of the vectors, count, queries, candidates
//     96  u8[64]   SHA-512 of the bytes from 160 on
//    160  u32      length of every query's list
//         then     {i32 row, f32 similarity} of every list, one after the other
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/text/word_vectors.h"

namespace TEXTCRS_API textcrs {

struct Neighbour {
  int row;           // in the WordVectors
  float similarity;  // cosine, in [-1, 1]
};

// For every query row its `count` most similar other rows, best first; ties by row. Exact over the
// whole table, or over the rows `candidates` where those are given: similarities are those of
// double arithmetic, rounded to float, whatever the number of threads. Rows of zero length have no
// neighbours and are nobody's. A row outside the table or a count below 1 is a std::logic_error.
std::vector<std::vector<Neighbour>> nearest_neighbours(const WordVectors& vectors,
                                                       std::span<const int> queries, int count,
                                                       int threads,
                                                       std::span<const int> candidates = {});

// The same, kept in home_folder()/cache: a second call with the same vectors, queries, count and
// candidates reads the file. A damaged file is made again.
std::vector<std::vector<Neighbour>> load_or_build_neighbours(const WordVectors& vectors,
                                                             std::span<const int> queries,
                                                             int count, int threads,
                                                             std::span<const int> candidates = {});

// The file the call above reads or makes.
std::filesystem::path neighbours_cache_file(const WordVectors& vectors,
                                            std::span<const int> queries, int count,
                                            std::span<const int> candidates = {});

}  // namespace textcrs
