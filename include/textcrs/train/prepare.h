// From a data set to a classifier that can be trained on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/data/dataset.h"
#include "textcrs/data/sources.h"
#include "textcrs/model/classifier.h"
#include "textcrs/train/trainer.h"

namespace TEXTCRS_API textcrs {

struct PrepareOptions {
  ModelConfig model;  // but for the classes and what follows from the noise and the vectors
  // Names the noise for texts of so many words, the median, instead of model.noise; empty: none.
  std::function<std::string(int words)> choose_noise;
  std::string vectors = "glove";  // of word models: open_vectors()
  std::string bert = "minilm";    // of a bert, the encoder to begin with: asset_or_path()
  SynonymSource synonyms;         // for substitution noises, votes, gaussian and interval bounds
  // Synonym clusters of at most so many words, each of which the model reads as one word
  // (docs/certificates.md, B16). The table is also that of the candidates if `synonyms` has none.
  SynonymSource canonical;
  int cluster_size = 0;
  std::filesystem::path start_from;  // a trained model of the same shape; empty: none
  int min_count = 1;                 // words seen less often are unknown (a bert: no synonyms)
  uint64_t seed = 1;
};

struct PreparedClassifier {
  std::unique_ptr<Classifier> classifier;  // untrained
  std::vector<EncodedText> texts;
  int64_t words = 0;              // of all texts
  int median_words = 0;           // per text
  std::optional<double> covered;  // of word models: the share of them that has a vector
  // Of models that cast votes, for VoteOptions: the words' vectors, zero where there is none.
  std::vector<float> word_vectors;
  int dimension = 0;
};

// A bad_input Error for a text without a label, labels that are all the same, and texts of which
// none has a word.
PreparedClassifier prepare_classifier(const Dataset& dataset, const PrepareOptions& options);

// Splits the texts into words, on all cores.
using SplitWords = std::function<std::vector<std::string>(std::string_view text)>;
std::vector<std::vector<std::string>> split_all(const Dataset& dataset, const SplitWords& split);

// The texts as the classifier reads them.
std::vector<EncodedText> encode_all(const Dataset& dataset, const Classifier& classifier);

// A bad_input Error that names the data, as `source` has it, and the text unless every text has a
// label, which `purpose` needs.
void check_labels(const Dataset& dataset, const std::string& source, const std::string& purpose);

}  // namespace textcrs
