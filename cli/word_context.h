// The words, synonyms and vectors for verbs that look at single texts: those of a model, or made up
// from the texts and the fetched data.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "inputs.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/model/classifier.h"

namespace textcrs::cli {

struct WordFlags {
  std::string model;    // empty: none
  std::string vectors;  // empty: none were named; then synonyms of glove come from glove
  SynonymFlags synonyms;

  void add(CLI::App& app);
};

class WordContext;

// --candidates K of the verbs that certify: the adversary's synonyms.
struct CandidateFlags {
  int count = 0;  // 0: the whole table

  void add(CLI::App& app);
  // The pairs of words that are among each other's first K; the table itself without a K.
  SynonymTable cut(const WordContext& context) const;
};

// Which parts of a context are asked for.
struct WordNeeds {
  bool synonyms = false, vectors = false, neighbours = false;
  std::string stop_words = {};  // the list of a noise's stop words; empty: it has none

  static WordNeeds of_noise(const std::string& noise);
};

class WordContext {
 public:
  // Without a model the vocabulary is the words of `texts`, joined by those of the synonym table or
  // by the most frequent ones of the vectors, so that words have synonyms and neighbours. With a
  // model everything is the model's, and a word it does not know is <unk> (to a bert, none is).
  WordContext(const WordFlags& flags, const WordNeeds& needs,
              const std::vector<std::string>& texts);
  WordContext(const WordContext&) = delete;
  WordContext& operator=(const WordContext&) = delete;

  const std::vector<std::vector<std::string>>& texts() const { return texts_; }  // their words
  Text text(size_t place) const { return {ids_[place], own_.list()}; }
  const Vocabulary& vocabulary() const { return vocabulary_; }
  const SynonymTable& synonyms() const { return synonyms_; }
  const Embeddings& embeddings() const { return embeddings_; }     // with those of the own words
  OwnVectors own_vectors() const;                                  // null without a model
  const std::string& model_noise() const { return model_noise_; }  // empty without a model
  const Classifier* model() const { return classifier_.get(); }    // null without a model

 private:
  void take_from_model(const WordFlags& flags, const WordNeeds& needs,
                       const std::vector<std::string>& texts);
  void make_vocabulary(const WordFlags& flags, const WordNeeds& needs);
  void make_vectors(const WordFlags& flags);

  std::unique_ptr<const Classifier> classifier_;  // null without a model
  std::vector<std::vector<std::string>> texts_;
  Vocabulary vocabulary_;
  OwnWords own_;
  std::vector<std::vector<WordId>> ids_;  // of the texts
  SynonymTable synonyms_;
  std::vector<float> rows_, own_rows_;
  Embeddings embeddings_;
  std::string model_noise_;
};

}  // namespace textcrs::cli
