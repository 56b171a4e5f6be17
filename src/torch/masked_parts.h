// A masked batch whose sequences go through the network in parts.
#pragma once

#include <vector>

#include "textcrs/torch/masked_lm.h"

namespace textcrs {

// Neighbouring sequences, in so many parts of about as many each, or one per sequence; without
// those parts that have nothing to guess. At least one part.
std::vector<MaskedBatch> masked_parts(const MaskedBatch& batch, int parts);

}  // namespace textcrs
