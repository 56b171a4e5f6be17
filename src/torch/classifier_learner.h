#pragma once

#include <memory>

#include "textcrs/torch/learner.h"

namespace textcrs {

// TorchBackend::learner.
std::unique_ptr<ClassifierLearner> make_classifier_learner(const Classifier& classifier,
                                                           const LearnerOptions& options);

}  // namespace textcrs
