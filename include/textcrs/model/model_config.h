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
  // Pool over all slots of a copy: what noise on the slots' vectors needs, so that the model can
  // not see which slots of the insertion noise are PAD (docs/certificates.md, B5). In a bert, a
  // word then has one slot, with the mean of its pieces' vectors.
  bool pool_all_slots = false;
  // Where the table in the folder's synonyms.json came from, which its noise draws from, or whose
  // candidates may replace the words that vote or have a Gaussian; empty: there is none.
  std::string synonyms;
  // The table of clusters whose words are read as the cluster's first word (Vocabulary); empty:
  // every word is read as itself.
  std::string canonical;
  // The list of the stop words in the folder's stop_words.txt, which its noise always deletes;
  // empty: there are none.
  std::string stop_words;
  // The answer is certified by interval bounds over the vectors of each word's candidates, without
  // noise; needs synonyms.
  bool intervals = false;
  // Under the insertion noise: the mean of the Gaussian is that of the word vectors, the tensor
  // "noise.mean" (OGN of the paper).
  bool noise_mean = false;
  // Under the insertion noise: units of the encoder-decoder that every slot's vector goes through
  // before the network (ESR of the paper); 0: none.
  int reconstruction = 0;
  // Word models: the word vectors are trained, too, and are this model's own. Otherwise they are
  // those it was given.
  bool trained_vectors = false;
  // What the cpu engine computes in, and bert on a GPU: with it the classifier that is certified is
  // the one that answers.
  Precision precision = Precision::kBf16;

  const Architecture& kind() const { return find_architecture(architecture); }
  // Whether every slot's vector goes through a map of its own before the network (noise_mean,
  // reconstruction).
  bool maps_slots() const { return noise_mean || reconstruction > 0; }

  // config.json; reading refuses unknown architectures and values out of range.
  void save(const std::filesystem::path& path) const;
  static ModelConfig load(const std::filesystem::path& path);
};

// Why a model of these units can not be; nothing if it can.
std::optional<std::string> units_complaint(const ModelConfig& config);

}  // namespace textcrs
