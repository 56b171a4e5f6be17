#pragma once

#include <memory>

#include "torch/masked_lm_network.h"

namespace textcrs {

// MaskedLm::learner. The network must outlive it.
std::unique_ptr<MaskedLearner> make_masked_learner(MaskedLmNetwork& network,
                                                   const MaskedLearnerOptions& options);

}  // namespace textcrs
