// The accuracy of the smoothed classifier: a majority of noisy copies answers for each text.
#pragma once

#include <cstdint>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"
#include "textcrs/train/trainer.h"

namespace TEXTCRS_API textcrs {

// The share of texts whose label wins the vote of `copies` noisy copies, ties to the lowest class.
// Copy k of text i comes from Stream(seed, i.id, k) in lanes of its own (textcrs/base/lanes.h).
double smoothed_accuracy(const Engine& engine, const Noise& noise,
                         const std::vector<EncodedText>& texts, int copies, uint64_t seed);

}  // namespace textcrs
