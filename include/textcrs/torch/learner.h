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

// What the loss of noisy copies has beside the cross entropy (src/torch/noisy_loss.h). The defaults
// add nothing.
struct NoisyLoss {
  // Where a text has several copies: the weights of their mean divergence from the text's mean
  // prediction, and of that prediction's entropy.
  double consistency = 0, consistency_entropy = 0;
  // Where the texts have a teacher's scores: the share of the loss that follows the teacher, and
  // the temperature at which the two are compared.
  double teacher_share = 0.5, teacher_temperature = 2;
};

struct LearnerOptions {
  std::string device = "cpu";
  int threads = 0;  // 0: all cores
  uint64_t seed = 1;
  double weight_decay = 0;           // decoupled, of matrices: not of biases and gains
  double gradient_clip = 0;          // the largest norm of all gradients together; 0: none
  int accumulate = 1;                // a step's texts go through in so many parts: less memory
  int freeze_layers = 0;             // bert: the first so many layers stay as they are
  double reconstruction_weight = 1;  // of the error of ModelConfig::reconstruction in the loss
  NoisyLoss noisy_loss = {};
  // Of the certified loss of sentences (src/torch/sentence_loss.h).
  int edits = 1;
  double temperature = 1;
  // Of models with interval bounds: the share of the worst-case loss, and the steps over which it
  // and the boxes grow to their full size.
  double interval_weight = 0.8;
  int64_t interval_ramp = 0;
  // Of a per-word encoder in front of the network (src/torch/word_encoder.h): the weight of its
  // widths in the loss, 0: there is none; its hidden units, 0: twice the dimension.
  double encoder_weight = 0;
  int encoder_hidden = 0;
};

struct LabelledBatch {
  CopyBatch copies;
  std::vector<int64_t> labels;  // one per text
  // So many copies of the first text come first, then those of the second, ...
  size_t copies_per_text = 1;
  std::vector<float> teacher = {};  // scores (texts, classes); empty: there is no teacher
  // Where the copies are sentences: how many each text has. Empty: they are noisy copies.
  std::vector<size_t> sentences = {};
};

class ClassifierLearner : public Learner {
 public:
  // One update by the gradient of the batch's mean loss, the cross entropy and what NoisyLoss adds,
  // or, of sentences, the certified loss. It is returned; without an update if it is not finite.
  // With ModelConfig::reconstruction the loss has one more part: reconstruction_weight times the
  // mean squared error of the reconstructed vectors, over coordinates, slots and texts. Dropout
  // depends on (seed, step) alone.
  virtual double step(const LabelledBatch& batch, int64_t step, double learning_rate) = 0;

  // What the classifier takes over of it (Classifier::assign); the parameters themselves, unless
  // they are only a way to it.
  virtual Weights trained() const { return parameters(); }

  // The model as it is now, on the learner's device; it must not be used after the next step.
  virtual std::unique_ptr<Engine> engine(const EngineOptions& options) const = 0;
};

}  // namespace textcrs
