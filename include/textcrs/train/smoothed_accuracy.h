// The accuracy of the smoothed classifier: a majority of noisy copies answers for each text.
#pragma once

#include <cstdint>
#include <vector>

#include "textcrs/model/classifier.h"
#include "textcrs/noise/noise.h"
#include "textcrs/train/trainer.h"

namespace textcrs {

// The share of texts whose label wins the vote of `copies` noisy copies, ties to the lowest class.
// Copy k of text i comes from Stream(seed, i.id, k) of a lane of its own, apart from training's.
double smoothed_accuracy(const Classifier& classifier, const Noise& noise,
                         const std::vector<EncodedText>& texts, int copies, uint64_t seed,
                         int threads);

}  // namespace textcrs
