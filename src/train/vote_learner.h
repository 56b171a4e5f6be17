// Learns the scores of words that cast votes, by minimising the certified loss
// (docs/certificates.md, B10). No LibTorch: one core, seconds, and the same numbers on every
// machine.
#pragma once

#include <memory>

#include "textcrs/torch/learner.h"
#include "textcrs/train/trainer.h"

namespace textcrs {

// The classifier casts votes and must outlive it. `word_vectors` (words, dimension) are for the
// small network; empty: none.
std::unique_ptr<ClassifierLearner> make_vote_learner(const Classifier& classifier,
                                                     const VoteOptions& options, uint64_t seed);

}  // namespace textcrs
