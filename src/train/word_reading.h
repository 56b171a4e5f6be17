// What is done to the words of texts before a model is trained on them: synonym clusters
// (docs/certificates.md, B16) and stop words (B2), which its vocabulary then knows.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "textcrs/text/word_vectors.h"
#include "textcrs/train/prepare.h"

namespace textcrs {

using TextWords = std::vector<std::vector<std::string>>;

// A word without a vector that the texts have so often is known, too.
constexpr int kFrequentWithoutVector = 100;

class WordReading {
 public:
  // The clusters of options.canonical, and the stop words of the model's noise. A stop word is in
  // no cluster. The first word of a cluster is the one that the texts have most often, of those
  // that a model of these vectors knows, if it knows any; the order of the table decides ties.
  // `vectors` may be null. A usage Error for a table without clusters, and for stop words that
  // `split` does not leave as they are.
  WordReading(const PrepareOptions& options, const TextWords& texts, const SplitWords& split,
              const WordVectors* vectors);

  const std::string& canonical() const { return canonical_; }  // the clusters' name, or empty

  // The word that is read for a word.
  const std::string& first_of(const std::string& word) const;
  void apply(TextWords& texts) const;

  // The vocabulary of texts that were read so, with what it lacks: the stop words, and if it is
  // open the first word of every cluster, and marks and aliases. To a closed one the words of a
  // cluster that it lacks are unknown, all of them. A usage Error if it lacks all clusters.
  Vocabulary complete(const Vocabulary& seen) const;

 private:
  void find_clusters(const PrepareOptions& options, const TextWords& texts, const SplitWords& split,
                     const WordVectors* vectors);

  std::string canonical_;
  Clusters clusters_;
  std::unordered_map<std::string, std::string> first_of_;  // of the other words of clusters
  StopWords stop_words_;
};

}  // namespace textcrs
