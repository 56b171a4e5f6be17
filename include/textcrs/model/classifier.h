// A base classifier h: from noisy copies of texts to scores, one a class.
//
// The classifier knows nothing of noise and certificates. What it does with a copy is part of h: it
// cuts the copy to the model's slots, and reads an empty copy as a single PAD (bert: as no word).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/stream.h"
#include "textcrs/model/model_config.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/word_vectors.h"

namespace textcrs {

// Noisy copies that go through the model together.
struct CopyBatch {
  std::vector<std::vector<WordId>> copies;
  // With sigma > 0, N(0, sigma^2) is added to every coordinate of every slot of copy i, drawn from
  // gaussians[i] slot by slot.
  double sigma = 0;
  std::vector<Stream> gaussians;
};

class Network;    // the LibTorch graph, src/model/network.h
class WordPiece;  // textcrs/text/wordpiece.h

// A frozen model with its vocabulary. Thread-safe: several threads may call classify at once.
class Classifier {
 public:
  // wordpiece: of a bert; null for the others.
  Classifier(ModelConfig config, Vocabulary vocabulary, SynonymTable synonyms,
             std::unique_ptr<Network> network,
             std::shared_ptr<const WordPiece> wordpiece = nullptr);
  ~Classifier();

  const ModelConfig& config() const { return config_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }  // a bert's is open
  const SynonymTable& synonyms() const { return synonyms_; }    // empty but for substitution noises
  Network& network() const { return *network_; }
  // The words of a text, as this model reads it. Thread-safe.
  std::vector<std::string> words(std::string_view text) const;
  // The vectors of the words [first, last) of the vocabulary, row-major.
  std::vector<float> vectors(WordId first, WordId last) const;
  std::vector<float> vectors() const { return vectors(0, vocabulary_.size()); }

  // The class of the highest score of each copy, ties to the lowest index. The answer for one copy
  // may depend, in the last bits of a float, on the shape of the batch it is in.
  std::vector<int> classify(const CopyBatch& batch) const;

  // An untrained model. A word's vector is its row of `vectors`; UNK has their mean, and MASK and
  // words without a row get a fixed random vector of typical length, keyed by the spelling.
  static std::unique_ptr<Classifier> fresh(ModelConfig config, Vocabulary vocabulary,
                                           SynonymTable synonyms, const WordVectors& vectors,
                                           uint64_t seed, const std::string& device);

  // An untrained head on a pretrained encoder: `pretrained` is a folder as Hugging Face's library
  // writes it (config.json, *.safetensors, tokenizer.json or vocab.txt). Sets the shape in
  // `config`. The vocabulary, which should be open, names the words that have synonyms or are
  // neighbours of others.
  static std::unique_ptr<Classifier> from_bert(ModelConfig config, Vocabulary vocabulary,
                                               SynonymTable synonyms,
                                               const std::filesystem::path& pretrained,
                                               uint64_t seed, const std::string& device);

  // Takes over the trained parameters of a model of the same shape, but for the head if that has
  // other classes; a usage Error if the shapes, or a bert's frozen embeddings, differ.
  void start_from(const Classifier& other);

  // A model folder: config.json, model.safetensors, vocab.txt, for a bert tokenizer.json and, for
  // substitution noises, synonyms.json. Written atomically as a whole; anything inconsistent is
  // refused on loading.
  void save(const std::filesystem::path& folder) const;
  static std::unique_ptr<Classifier> load(const std::filesystem::path& folder,
                                          const std::string& device);

 private:
  ModelConfig config_;
  Vocabulary vocabulary_;
  SynonymTable synonyms_;
  std::unique_ptr<Network> network_;
  std::shared_ptr<const WordPiece> wordpiece_;
};

}  // namespace textcrs
