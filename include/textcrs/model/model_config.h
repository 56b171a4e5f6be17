// What a model is: everything but its weights and words.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/kernels/isa.h"
#include "textcrs/model/architecture.h"
#include "textcrs/model/units.h"

namespace TEXTCRS_API textcrs {

// What BERT has beside its widths.
struct BertShape {
  int layers = 0, heads = 0;
  int positions = 0;       // the longest sequence, [CLS] and [SEP] included
  double epsilon = 1e-12;  // of the layer normalizations

  bool operator==(const BertShape&) const = default;
};

// What votes besides the words of a text, and how.
struct VoteShape {
  int windows = 1;        // the most neighbouring words that vote together, up to 3; 1: words alone
  int window_rows = 0;    // of the table of each width from 2 on: windows share them by a hash
  bool presence = false;  // a word votes once, however often it stands in a text

  bool operator==(const VoteShape&) const = default;
};

struct ModelConfig {
  std::string architecture = "bilstm";  // textcrs/model/architecture.h
  int dimension = 0;                    // of the word vectors; bert: of all hidden states
  // bilstm: units per direction; cnn: filters per width; bert: inner width of the feed-forward
  // layers
  int hidden = 150;
  BertShape bert;   // bert only
  VoteShape votes;  // of models that cast votes
  int slots = 256;  // n: a noisy copy is cut to its first n words
  // Training only. Of the word vectors, one mask per text over the coordinates (not bert).
  double input_dropout = 0.1;
  double dropout = 0.5;  // training only: of the pooled features; bert: of hidden states, too
  std::vector<std::string> classes;
  // Sentences: `slots` are those of one sentence, and there is no noise. Not for architectures that
  // cast votes by themselves.
  Units units = Units::kWords;
  std::string noise = "none";  // the spec it was trained with, and is certified with
  // Pool over all n slots instead of the real words: what the insertion noise needs, so that the
  // model can not see which slots are PAD (docs/certificates.md, B5). In a bert, a word then has
  // one slot, with the mean of its pieces' vectors.
  bool pool_all_slots = false;
  // Where the table in the folder's synonyms.json came from, which its noise draws from, or whose
  // candidates may replace the words that vote; empty: there is none.
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

// Why a model of these units can not be; nothing if it can.
std::optional<std::string> units_complaint(const ModelConfig& config);

}  // namespace textcrs
