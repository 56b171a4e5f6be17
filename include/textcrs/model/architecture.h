// The kinds of base classifiers, one row each. A row says everything that does not need LibTorch;
// what runs a model is registered by the same name in src/engine/cpu_engine.cc and
// src/torch/network.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/model/weights.h"

namespace TEXTCRS_API textcrs {

struct ModelConfig;  // textcrs/model/model_config.h

// What suits a kind of model unless somebody says otherwise.
struct TrainingDefaults {
  int epochs = 10, batch_size = 128;
  // Few texts: the batch is halved down to smallest_batch until the epochs make so many steps; if
  // that is not enough, there are more epochs, up to most_epochs.
  int steps = 1500, smallest_batch = 32, most_epochs = 50;
  double learning_rate = 3e-3, warm_up = 0.3, weight_decay = 0;
  double dropout = 0.5, input_dropout = 0.1;
  int hidden = 150;
  double validation_share = 0.05;
  double temperature = 10, score_decay = 3e-5;  // of votes (VoteOptions in textcrs/train/trainer.h)
  double edits = 2;
};

struct Architecture {
  std::string name;     // as in config.json
  std::string summary;  // one line in plain words
  // BERT's tokenizer and an open vocabulary, pretrained weights to begin with, and
  // ModelConfig::bert; otherwise words with vectors, and a closed vocabulary.
  bool reads_pieces = false;
  // A word has no vector but a score per class, a whole number; the scores of a text's words are
  // added up. `embedding` is the table of scores, ModelConfig::dimension the number of classes.
  bool casts_votes = false;
  // The tensor with a row for every word, or piece; frozen but for ModelConfig::trained_vectors.
  std::string embedding;
  // The other tensors of a model of this shape.
  std::vector<TensorSpec> (*tensors)(const ModelConfig& config) = nullptr;
  // What is wrong with the shape, in words; nothing if it is sound.
  std::optional<std::string> (*complaint)(const ModelConfig& config) = nullptr;
  TrainingDefaults training = {};
};

const std::vector<Architecture>& architectures();
std::vector<std::string> architecture_names();
// A usage Error that names the known ones.
const Architecture& find_architecture(std::string_view name);

}  // namespace textcrs
