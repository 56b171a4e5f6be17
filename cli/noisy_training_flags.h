// The flags of `train` for ways to train better under noise (docs/training.md), each off by
// default.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli11.h"
#include "textcrs/train/prepare.h"
#include "textcrs/train/trainer.h"

namespace textcrs::cli {

struct NoisyTrainingFlags {
  std::string levels;   // LOW..HIGH; empty: the noise has its own level
  std::string teacher;  // a model folder; empty: none

  // The values go to `options`, which must outlive the command.
  void add(CLI::App& command, TrainOptions& options);
  // Reads the levels. A usage Error for flags that do not go together, or not with the model; what
  // hangs on a noise that was not named is left to train().
  void settle(const ModelConfig& model, TrainOptions& options) const;
  // Has the teacher, if there is one, score the texts of the data set, and says how good it is.
  void ask_teacher(const Dataset& data, PreparedClassifier& prepared, const TrainOptions& options);
  // What was used, for training.json.
  void record(const TrainOptions& options, nlohmann::ordered_json& training) const;

 private:
  std::string fingerprint_;  // of the teacher
  double accuracy_ = 0;
};

}  // namespace textcrs::cli
