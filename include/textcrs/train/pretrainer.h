// Pretraining on any texts, without labels: a BERT learns to guess masked words.
//
// Everything random is keyed: which words of a text are masked by (seed, text, epoch), the order of
// the sequences by (seed, epoch), dropout by (seed, step). So a run that was interrupted and
// resumed ends with the weights of one that was not, bit by bit on the CPU.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/torch/masked_lm.h"

namespace TEXTCRS_API textcrs {

struct PretrainOptions {
  int epochs = 1;
  int batch_size = 32;             // sequences per step
  int length = 128;                // pieces per sequence; longer texts become several
  double learning_rate = 1e-4;     // the peak of the one-cycle schedule
  double warm_up = 0.1;            // share of the steps until the peak
  double weight_decay = 0.01;      // decoupled (AdamW), of matrices: not of biases and gains
  double gradient_clip = 1.0;      // the largest norm of all gradients together; 0: none
  double dropout = 0.1;            // of hidden states
  bool freeze_embeddings = false;  // with the vectors of the pieces, which the head shares
  uint64_t seed = 1;
  double validation_share = 0.05;  // of the texts, held out
  int threads = 0;                 // 0: all cores
  // As of TrainOptions (textcrs/train/trainer.h).
  std::filesystem::path checkpoint;
  double checkpoint_seconds = 120;
  bool resume = false;
};

// Of the masked pieces of held-out texts, masked the same way every time.
struct GuessQuality {
  double loss = 0;      // mean, in nats
  double accuracy = 0;  // share guessed right
};

struct PretrainProgress {
  int epoch = 0, epochs = 0;  // counted from 1
  int batch = 0, batches = 0;
  double loss = 0;  // mean over the epoch so far
  double sequences_per_second = 0;
  double seconds_left = 0;
  bool epoch_done = false;
  std::optional<GuessQuality> validation;  // set when epoch_done, if texts are held out
};

struct PretrainResult {
  std::optional<GuessQuality> validation;  // of the weights it ends with, if texts are held out
  size_t sequences = 0;                    // trained on, in an epoch
  double seconds = 0;                      // with those before an interruption
  struct Epoch {
    int number = 0;   // counted from 1
    double loss = 0;  // mean
    std::optional<GuessQuality> validation;
  };
  std::vector<Epoch> epochs;  // all of them
  std::string run;            // everything that decides the weights, in one line
};

using PretrainReporter = std::function<void(const PretrainProgress&)>;

struct WordText {
  uint32_t id;
  std::vector<std::string> words;
};

// Trains `model` in place; it leaves with the last weights. When `stop` asks for it, the state is
// written to options.checkpoint and an Error of kind kInterrupted is thrown. A length that the
// encoder has no positions for, or no words to learn from, is a usage Error.
PretrainResult pretrain(MaskedLm& model, const std::vector<WordText>& texts,
                        const PretrainOptions& options, const PretrainReporter& report,
                        StopToken stop = {});

}  // namespace textcrs
