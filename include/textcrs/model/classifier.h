// A base classifier h: from noisy copies of texts to scores, one a class.
//
// The classifier knows nothing of noise and certificates. What it does with a copy is part of h: it
// cuts the copy to the model's slots, and reads an empty copy as a single PAD.
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

class Network;  // the LibTorch graph, src/model/network.h

// A frozen model with its vocabulary. Thread-safe: several threads may call classify at once.
class Classifier {
 public:
  Classifier(ModelConfig config, Vocabulary vocabulary, SynonymTable synonyms,
             std::unique_ptr<Network> network);
  ~Classifier();

  const ModelConfig& config() const { return config_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const SynonymTable& synonyms() const { return synonyms_; }  // empty but for substitution noises
  Network& network() const { return *network_; }
  std::vector<float> vectors() const;  // (words of the vocabulary, dimension), row-major

  // The class of the highest score of each copy, ties to the lowest index. The answer for one copy
  // may depend, in the last bits of a float, on the shape of the batch it is in.
  std::vector<int> classify(const CopyBatch& batch) const;

  // An untrained model. A word's vector is its row of `vectors`; UNK has their mean, and MASK and
  // words without a row get a fixed random vector of typical length, keyed by the spelling.
  static std::unique_ptr<Classifier> fresh(ModelConfig config, Vocabulary vocabulary,
                                           SynonymTable synonyms, const WordVectors& vectors,
                                           uint64_t seed, const std::string& device);

  // A model folder: config.json, model.safetensors, vocab.txt and, for substitution noises,
  // synonyms.json. Written atomically as a whole; anything inconsistent is refused on loading.
  void save(const std::filesystem::path& folder) const;
  static std::unique_ptr<Classifier> load(const std::filesystem::path& folder,
                                          const std::string& device);

 private:
  ModelConfig config_;
  Vocabulary vocabulary_;
  SynonymTable synonyms_;
  std::unique_ptr<Network> network_;
};

}  // namespace textcrs
