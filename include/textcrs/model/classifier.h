// A base classifier h at rest: what it is, its words and its weights. Engines (textcrs/engine) run
// it, learners (textcrs/torch) change it.
//
// It knows nothing of noise and certificates. What h does with a noisy copy is part of h: it cuts
// the copy to the model's slots, and reads an empty copy as a single PAD (bert: as no word).
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/model/model_config.h"
#include "textcrs/model/weights.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/word_vectors.h"

namespace TEXTCRS_API textcrs {

class PieceTable;  // src/model/piece_table.h
class WordPiece;   // textcrs/text/wordpiece.h

// Const members are thread-safe.
class Classifier {
 public:
  // The weights must be those of the architecture (std::logic_error); wordpiece is null unless it
  // reads pieces. The synonyms are those of vocabulary.spellings(), which without clusters is the
  // vocabulary.
  Classifier(ModelConfig config, Vocabulary vocabulary, SynonymTable synonyms, Weights weights,
             std::shared_ptr<const WordPiece> wordpiece = nullptr);
  ~Classifier();
  Classifier(const Classifier&) = delete;
  Classifier& operator=(const Classifier&) = delete;

  const ModelConfig& config() const { return config_; }
  const Vocabulary& vocabulary() const { return vocabulary_; }  // open if it reads pieces
  const SynonymTable& synonyms() const { return synonyms_; }    // empty unless config().synonyms
  // The same table, in which the words of a cluster have lists of their own; its ids are those of
  // vocabulary().spellings().
  const SynonymTable& spelled_synonyms() const;
  const Weights& weights() const { return weights_; }
  const PieceTable& pieces() const;  // std::logic_error unless it reads pieces

  // The words of a text, as this model reads it.
  std::vector<std::string> words(std::string_view text) const;
  // The vectors of all words of the vocabulary, or of words beyond an open one, row-major.
  std::vector<float> vectors() const;
  std::vector<float> vectors(std::span<const std::string> own) const;

  // A hash of everything a result depends on: the same for two folders with the same content.
  std::string fingerprint() const;
  // The same of spelled_synonyms() alone; empty without any.
  std::string synonyms_fingerprint() const;

  // An untrained model. A word's vector is its row of `vectors`; UNK has their mean, and MASK and
  // words without a row get a fixed random vector of typical length, keyed by the spelling.
  static std::unique_ptr<Classifier> fresh(ModelConfig config, Vocabulary vocabulary,
                                           SynonymTable synonyms, const WordVectors& vectors,
                                           uint64_t seed);

  // The same for one that casts votes: all scores are zero. Its words may be replaced by those of
  // the table.
  static std::unique_ptr<Classifier> fresh(ModelConfig config, Vocabulary vocabulary,
                                           SynonymTable synonyms = {});

  // An untrained head on a pretrained encoder: `pretrained` is a folder as Hugging Face's library
  // writes it (config.json, *.safetensors, tokenizer.json or vocab.txt). Sets the shape in
  // `config`. The vocabulary, which must be open, names the words that have synonyms or are
  // neighbours of others.
  static std::unique_ptr<Classifier> from_bert(ModelConfig config, Vocabulary vocabulary,
                                               SynonymTable synonyms,
                                               const std::filesystem::path& pretrained,
                                               uint64_t seed);

  // Takes over the trained parameters of a model of the same shape, but for the head if that has
  // other classes, and its word vectors if they were trained; a usage Error if the shapes, or a
  // bert's frozen embeddings, differ. A map of the slots (ModelConfig::maps_slots) that the other
  // does not have stays as it is, the mean of the noise is the other's where it has one, and a map
  // that only the other has is a usage Error.
  void start_from(const Classifier& other);

  // Replaces the values of trained parameters; std::logic_error for another name or shape.
  void assign(const Weights& trained);

  // A model folder: config.json, model.safetensors, vocab.txt, for a bert tokenizer.json, with
  // synonyms synonyms.json, with clusters canonical.txt, with stop words stop_words.txt. Written
  // atomically as a whole; anything inconsistent is refused on loading.
  void save(const std::filesystem::path& folder) const;
  static std::unique_ptr<Classifier> load(const std::filesystem::path& folder);

 private:
  // The vectors of the words that both know.
  void take_vectors(const Classifier& other);

  ModelConfig config_;
  Vocabulary vocabulary_;
  SynonymTable synonyms_;
  SynonymTable spelled_synonyms_;  // empty without clusters: then it is the same
  Weights weights_;
  std::shared_ptr<const WordPiece> wordpiece_;
  std::unique_ptr<const PieceTable> pieces_;
};

}  // namespace textcrs
