// A training step's texts go through the network in parts, for less memory.
#pragma once

#include <cstddef>
#include <vector>

#include "textcrs/torch/learner.h"

namespace textcrs {

// Neighbouring texts of a batch, and their copies.
struct StepPart {
  size_t first_text = 0, texts = 0;
  size_t first_copy = 0, copies = 0;
};

// So many parts of about as many texts each, or one per text. Where the copies are sentences, each
// is divided further, until it has one text or no more than kPartWords words, each sentence cut to
// `slots`.
constexpr size_t kPartWords = size_t{1} << 15;
std::vector<StepPart> step_parts(const LabelledBatch& batch, int parts, int slots);

}  // namespace textcrs
