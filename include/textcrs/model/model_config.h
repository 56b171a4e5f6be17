// What a model is: everything but its weights and words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/kernels/isa.h"

namespace textcrs {

struct ModelConfig {
  std::string architecture = "bilstm";  // bilstm or cnn
  int dimension = 0;                    // of the word vectors
  int hidden = 150;                     // bilstm: units a direction; cnn: filters a width
  int slots = 256;                      // n: a noisy copy is cut to its first n words
  double input_dropout = 0.1;  // training only, one mask a text over the vector's coordinates
  double dropout = 0.5;        // training only, on the pooled features
  std::vector<std::string> classes;
  std::string noise = "none";  // the spec it was trained with, and is certified with
  // Pool over all n slots instead of the real words: what the insertion noise needs, so that the
  // model can not see which slots are PAD (docs/certificates.md, B5).
  bool pool_all_slots = false;
  // Where the table in the folder's synonyms.json came from, which its noise draws from; empty:
  // there is none.
  std::string synonyms;
  // What the cpu engine computes in: with it the classifier that is certified is the one that
  // answers.
  Precision precision = Precision::kBf16;

  // config.json; reading refuses unknown architectures and values out of range.
  void save(const std::filesystem::path& path) const;
  static ModelConfig load(const std::filesystem::path& path);
};

}  // namespace textcrs
