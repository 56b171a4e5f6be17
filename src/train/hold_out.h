// The texts to train on, and those that choose the epoch.
#pragma once

#include <cstdint>
#include <vector>

#include "textcrs/train/trainer.h"

namespace textcrs {

struct Split {
  std::vector<EncodedText> train, validation;
};

// Holds out the same share of every class, chosen by the seed: held_out_count() texts.
Split hold_out(const std::vector<EncodedText>& texts, double share, uint64_t seed);

}  // namespace textcrs
