// How good a model with interval bounds is, for the choice of an epoch.
#pragma once

#include <vector>

#include "textcrs/model/classifier.h"
#include "textcrs/train/trainer.h"

namespace textcrs {

struct IntervalAccuracy {
  double accuracy = 0;   // the share of the texts that are right
  double certified = 0;  // and stay so, whatever candidates all words are replaced by

  // Of two epochs the one with the better mean is the better one: accuracy alone does not see what
  // is learnt for the bounds, and the certified one alone prefers a model that reads little.
  double mean() const { return (accuracy + certified) / 2; }
};

// In double precision, as the model will answer and certify.
IntervalAccuracy interval_accuracy(const Classifier& classifier,
                                   const std::vector<EncodedText>& texts, int threads);

}  // namespace textcrs
