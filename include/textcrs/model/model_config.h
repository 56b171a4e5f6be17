// What a model is: everything but its weights and words.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/kernels/isa.h"
#include "textcrs/model/architecture.h"

namespace TEXTCRS_API textcrs {

// What BERT has beside its widths.
struct BertShape {
  int layers = 0, heads = 0;
  int positions = 0;       // the longest sequence, [CLS] and [SEP] included
  double epsilon = 1e-12;  // of the layer normalizations

  bool operator==(const BertShape&) const = default;
};

struct ModelConfig {
  std::string architecture = "bilstm";  // textcrs/model/architecture.h
  int dimension = 0;                    // of the word vectors; bert: of all hidden states
  // bilstm: units per direction; cnn: filters per width; bert: inner width of the feed-forward
  // layers
  int hidden = 150;
  BertShape bert;   // bert only
  int slots = 256;  // n: a noisy copy is cut to its first n words
  // Training only. Of the word vectors, one mask per text over the coordinates (not bert).
  double input_dropout = 0.1;
  double dropout = 0.5;  // training only: of the pooled features; bert: of hidden states, too
  std::vector<std::string> classes;
  std::string noise = "none";  // the spec it was trained with, and is certified with
  // Pool over all n slots instead of the real words: what the insertion noise needs, so that the
  // model can not see which slots are PAD (docs/certificates.md, B5). In a bert, a word then has
  // one slot, with the mean of its pieces' vectors.
  bool pool_all_slots = false;
  // Where the table in the folder's synonyms.json came from, which its noise draws from; empty:
  // there is none.
  std::string synonyms;
  // Word models: the word vectors are trained, too, and are this model's own. Otherwise they are
  // those it was given.
  bool trained_vectors = false;
  // What the cpu engine computes in, and bert on a GPU: with it the classifier that is certified is
  // the one that answers.
  Precision precision = Precision::kBf16;

  const Architecture& kind() const { return find_architecture(architecture); }

  // config.json; reading refuses unknown architectures and values out of range.
  void save(const std::filesystem::path& path) const;
  static ModelConfig load(const std::filesystem::path& path);
};

}  // namespace textcrs
