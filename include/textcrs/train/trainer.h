// Training under smoothing noise: Algorithm 1 of the paper with fresh noise for every batch.
//
// Everything random is keyed: a text's noisy copies by (seed, example, epoch, copy), the order of
// the texts by (seed, epoch), dropout and a varying level of the noise by (seed, step). So the
// weights do not depend on the number of loader threads, and a run that was interrupted and resumed
// ends with the weights of one that was not.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/model/classifier.h"
#include "textcrs/torch/learner.h"

namespace TEXTCRS_API textcrs {

// The largest score of a word that votes, a whole number.
constexpr int kLargestVote = 4096;

// Of models that cast votes; of those whose units are sentences, the edits and the temperature.
struct VoteOptions {
  double edits = 2;         // the edits whose harm is minimised; 0: none, as for `linear`
  double temperature = 10;  // the lead, in the scores' own unit, at which a text's pull fades
  double decay = 3e-5;      // of the words' free scores
  int hidden = 32;          // units of the small network on the word vectors; 0: free scores alone
  double network_rate = 0.3;        // its learning rate, as a share
  std::vector<float> word_vectors;  // (vocabulary, dimension); empty: no network
  int dimension = 0;

  static VoteOptions for_sentences() {
    VoteOptions options;
    options.edits = 1;
    options.temperature = 2;
    return options;
  }
};

// The level of a noise is p of delete, universal and mask, and sigma of insert.
struct NoiseLevels {
  double low = 0, high = 0;
};

// The most noisy copies of a text in a step.
constexpr int kMostCopies = 1000;

struct TrainOptions {
  int epochs = 10;
  int batch_size = 128;
  int copies = 1;  // noisy copies of each text in a step
  NoisyLoss loss;
  // Every step's copies are drawn at a level of its own, uniform on [low, high]; by default at the
  // noise's. What is validated, and certified, is the noise itself.
  std::optional<NoiseLevels> levels;
  int accumulate = 1;           // a step's texts go through in so many parts: less memory
  double learning_rate = 3e-3;  // the peak of the one-cycle schedule
  double warm_up = 0.3;         // share of the steps until the peak
  double weight_decay = 0;      // decoupled (AdamW), of matrices: not of biases and gains
  double gradient_clip = 1.0;   // the largest norm of all gradients together; 0: none
  // The decay of an average of the parameters over the steps (src/train/weight_average.h), which is
  // then what is validated and kept; 0: the parameters themselves are.
  double average = 0;
  int freeze_layers = 0;             // bert: the first so many layers stay as they are
  double reconstruction_weight = 1;  // of the error of ModelConfig::reconstruction in the loss
  // Of models with interval bounds: the share of the worst-case loss, and the share of the steps
  // over which it and the words' boxes grow to their full size.
  double interval_weight = 0.8, interval_ramp = 0.8;
  // A per-word encoder is trained under Gaussian noise, too, and the vectors become its own: the
  // weight in the loss of its widths over the words' candidates, 0: there is none; its hidden
  // units, 0: twice the dimension.
  double encoder_weight = 0;
  int encoder_hidden = 0;
  uint64_t seed = 1;
  double validation_share = 0.05;  // held out of the training texts, by class
  int validation_copies = 16;      // noisy copies that vote on a validation text
  int loader_threads = 1;          // draw noisy copies ahead of the training step
  int threads = 0;                 // of the training step; 0: all cores
  std::string device = "cpu";
  VoteOptions votes;
  // Folder for the state of an unfinished training; empty: none is written. It is saved after every
  // epoch, when so many seconds have passed within one, and on a stop.
  std::filesystem::path checkpoint;
  double checkpoint_seconds = 120;
  bool resume = false;  // continue from the checkpoint

  // What suits an architecture and so many texts to train on: few texts get smaller batches and
  // more epochs, until there are TrainingDefaults::steps.
  static TrainOptions recommended(const Architecture& architecture, size_t texts);
};

struct TrainProgress {
  int epoch = 0, epochs = 0;  // counted from 1
  int batch = 0, batches = 0;
  double loss = 0;  // mean over the epoch so far
  double texts_per_second = 0;
  double seconds_left = 0;
  bool epoch_done = false;
  // Where epoch_done:
  std::optional<double> validation_accuracy;  // smoothed; none without held-out texts
  bool is_best = false;                       // better than all epochs before it
  bool is_kept = false;  // the weights to leave with, unless a later epoch's are
};

struct TrainResult {
  int epoch = 0;                              // whose weights were kept, counted from 1
  std::optional<double> validation_accuracy;  // of it, smoothed; none without held-out texts
  int best_epoch = 0;                         // the first with the best accuracy; 0 without one
  std::optional<double> best_accuracy;
  double seconds = 0;  // with those before an interruption
  struct Epoch {
    int number = 0;                             // counted from 1
    double loss = 0;                            // mean
    std::optional<double> validation_accuracy;  // as above
  };
  std::vector<Epoch> epochs;  // all of them
  std::string run;            // everything that decides the weights, in one line
};

using TrainReporter = std::function<void(const TrainProgress&)>;

// A text as the model sees it.
struct EncodedText {
  uint32_t id;
  std::vector<WordId> words;
  int label;
  std::vector<std::string> own = {};  // the words beyond an open vocabulary
  // Of models whose units are sentences: how many of the words are before the end of each.
  std::optional<std::vector<uint32_t>> sentence_ends = {};
  // The scores of a teacher on the text as it is, one per class (textcrs/train/teacher.h); empty:
  // there is none. All texts that are trained on have one, or none has.
  std::vector<float> teacher = {};

  Text text() const { return {words, own}; }
  Text sentence(size_t place) const {
    const size_t begin = place > 0 ? (*sentence_ends)[place - 1] : 0;
    return {std::span(words).subspan(begin, (*sentence_ends)[place] - begin), own};
  }
};

// Why such a model can not be trained with these options; nothing if it can. `taught`: the texts
// have a teacher's scores.
std::optional<std::string> training_complaint(const ModelConfig& model, const TrainOptions& options,
                                              bool taught);

// How many texts train() holds out: this share of every class, each rounded to whole texts.
size_t held_out_count(const std::vector<EncodedText>& texts, double share);

// Trains `classifier` in place with its config's noise. It leaves with the weights of the last
// epoch whose smoothed validation accuracy (with interval bounds: the mean of the accuracy and the
// certified accuracy) is the best so far, or behind it by no more than chance:
// one standard error, and at most two texts. Without held-out texts it is the last epoch. When
// `stop` asks for it, the state is written to options.checkpoint and an Error of kind kInterrupted
// is thrown. Needs LibTorch (textcrs/torch/backend.h).
TrainResult train(Classifier& classifier, const std::vector<EncodedText>& texts,
                  const TrainOptions& options, const TrainReporter& report, StopToken stop = {});

// The same with texts of their own to choose the epoch; options.validation_share is not read.
TrainResult train(Classifier& classifier, const std::vector<EncodedText>& texts,
                  const std::vector<EncodedText>& validation, const TrainOptions& options,
                  const TrainReporter& report, StopToken stop = {});

}  // namespace textcrs
