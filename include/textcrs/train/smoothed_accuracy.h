// The answers of the smoothed classifier, and their accuracy: a majority of noisy copies answers
// for each text.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"
#include "textcrs/train/trainer.h"

namespace TEXTCRS_API textcrs {

struct AnswerProgress {
  size_t done = 0, texts = 0;
  double share = 0;  // of the work that is done: the longest texts come last
};

// Called every few seconds by the thread that asked; may be empty.
using AnswerReporter = std::function<void(const AnswerProgress&)>;

// The class that wins the vote of `copies` noisy copies of each text, ties to the lowest class.
// Copy k of text i comes from Stream(seed, i.id, k) in lanes of its own (textcrs/base/lanes.h). An
// Error of kind kInterrupted once `stop` asks for it.
// Texts with sentences are answered by the sum of their sentences' votes, without noise
// (std::logic_error).
std::vector<int> smoothed_answers(const Engine& engine, const Noise& noise,
                                  const std::vector<EncodedText>& texts, int copies, uint64_t seed,
                                  const AnswerReporter& report = {}, StopToken stop = {});

// The share of texts whose label is their answer; 0 without texts.
double smoothed_accuracy(const Engine& engine, const Noise& noise,
                         const std::vector<EncodedText>& texts, int copies, uint64_t seed);

}  // namespace textcrs
