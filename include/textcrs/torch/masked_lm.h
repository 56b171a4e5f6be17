// A BERT that guesses missing words: the encoder and, on it, the head it was pretrained with.
//
// The head is that of Hugging Face's BertForMaskedLM: a dense layer, GELU, a layer normalization,
// and a score for every piece, with the vectors of the pieces as weights (tied).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/model/word_guess.h"
#include "textcrs/torch/learner.h"

namespace TEXTCRS_API textcrs {

class WordPiece;  // textcrs/text/wordpiece.h

// Sequences of pieces, and the places that are asked about.
struct MaskedRows {
  std::vector<int32_t> pieces;  // of all sequences, one after the other; [CLS] and [SEP] included
  std::vector<int32_t> starts;  // (B + 1)
  int longest = 0;
  std::vector<int64_t> places;  // (M), in `pieces`
};

struct MaskedBatch {
  MaskedRows rows;
  std::vector<int64_t> targets;  // (M): what stood at rows.places
};

struct GuessCounts {
  double loss = 0;     // sum over the places, in nats
  int64_t right = 0;   // places guessed right
  int64_t places = 0;  // asked about
};

struct MaskedLearnerOptions {
  int threads = 0;  // 0: all cores
  uint64_t seed = 1;
  double dropout = 0;              // of hidden states
  double weight_decay = 0;         // decoupled, of matrices: not of biases and gains
  double gradient_clip = 0;        // the largest norm of all gradients together; 0: none
  bool freeze_embeddings = false;  // with the vectors of the pieces, which the head shares
};

class MaskedLearner : public Learner {
 public:
  // One update by the gradient of the mean loss over the places, which is returned; without an
  // update if it is not finite. Dropout depends on (seed, step) alone.
  virtual double step(const MaskedBatch& batch, int64_t step, double learning_rate) = 0;
  virtual GuessCounts guess(const MaskedBatch& batch) const = 0;
};

// Const members are thread-safe as long as nobody trains it.
class MaskedLm {
 public:
  virtual ~MaskedLm() = default;

  virtual const WordPiece& wordpiece() const = 0;
  virtual int positions() const = 0;  // the longest sequence, [CLS] and [SEP] included
  virtual const std::string& device() const = 0;
  virtual Weights parameters() const = 0;  // all, by their names in Hugging Face's checkpoints

  // Trains this model, which must outlive it.
  virtual std::unique_ptr<MaskedLearner> learner(const MaskedLearnerOptions& options) = 0;

  // The words that fit best between words[place - 1] and words[place], the most probable first;
  // place == words.size() is behind the last. Only words of a single piece are guessed, `count` of
  // them or all there are. Of a text that is too long for the encoder the words nearest to the
  // place are read. place > words.size() or count < 1 is a std::logic_error.
  virtual std::vector<WordGuess> fill(const std::vector<std::string>& words, size_t place,
                                      int count) const = 0;

  // Writes a folder as it was read, as a whole; Classifier::from_bert() reads it. The pooler is in
  // it if it was in the folder that was loaded.
  virtual void save(const std::filesystem::path& folder) const = 0;
};

}  // namespace textcrs
