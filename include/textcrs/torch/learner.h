// Models that learn by gradients: what a training loop needs of LibTorch.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"
#include "textcrs/model/copy_batch.h"
#include "textcrs/model/weights.h"

namespace TEXTCRS_API textcrs {

// AdamW on named parameters. Not thread-safe.
class Learner {
 public:
  virtual ~Learner() = default;

  // The parameters that are trained, as they are now.
  virtual Weights parameters() const = 0;
  // Puts these values in their place (same names and shapes).
  virtual void assign(const Weights& parameters) = 0;

  // The optimizer's moments, "m.NAME" and "v.NAME".
  virtual Weights moments() const = 0;
  // The state after so many steps; `moments` may hold other tensors, too.
  virtual void restore(const Weights& moments, int64_t steps) = 0;
};

struct LearnerOptions {
  std::string device = "cpu";
  int threads = 0;  // 0: all cores
  uint64_t seed = 1;
  double weight_decay = 0;   // decoupled, of matrices: not of biases and gains
  double gradient_clip = 0;  // the largest norm of all gradients together; 0: none
  int accumulate = 1;        // a step's texts go through in so many parts: less memory
  int freeze_layers = 0;     // bert: the first so many layers stay as they are
  // Of the certified loss of sentences (src/torch/sentence_loss.h).
  int edits = 1;
  double temperature = 1;
};

struct LabelledBatch {
  CopyBatch copies;
  std::vector<int64_t> labels;  // one per text
  // Where the copies are sentences: how many each text has. Empty: a copy per text.
  std::vector<size_t> sentences = {};
};

class ClassifierLearner : public Learner {
 public:
  // One update by the gradient of the batch's mean cross entropy, or, of sentences, mean certified
  // loss, which is returned; without an update if it is not finite. Dropout depends on (seed, step)
  // alone.
  virtual double step(const LabelledBatch& batch, int64_t step, double learning_rate) = 0;

  // What the classifier takes over of it (Classifier::assign); the parameters themselves, unless
  // they are only a way to it.
  virtual Weights trained() const { return parameters(); }

  // The model as it is now, on the learner's device; it must not be used after the next step.
  virtual std::unique_ptr<Engine> engine(const EngineOptions& options) const = 0;
};

}  // namespace textcrs
