// The votes of a model over noisy copies of a text, and of the text without some of its words.
#pragma once

#include "certified/explain.h"
#include "textcrs/base/stop.h"
#include "textcrs/engine/engine.h"

namespace textcrs {

// All copies have random numbers in common: those of (seed, example, sample). Where the noise picks
// places (Noise::picks_places), the copies of the text without a word are the text's copies without
// it, and only those that hold the word are run again; other noises are drawn for every shortened
// text. A finite noise is run through all its outcomes. Between parts the stop token is asked, as
// in VoteCounter. What it refers to must outlive it.
class WordRemoval {
 public:
  WordRemoval(const Engine& engine, const Noise& noise, Text text, size_t classes, StopToken stop)
      : engine_(engine), noise_(noise), text_(text), classes_(classes), stop_(stop) {}

  // Whether the law of every shortened text has at most so many outcomes.
  bool laws_fit(std::span<const Influence> removed, double outcomes) const;

  // The shares of the votes for `top` by the laws of the texts, which are run through; nothing is
  // drawn.
  SharesWithout shares_of_laws(std::span<const Influence> removed, size_t top) const;

  // The shares of the votes for `top`.
  SharesWithout shares(std::span<const Influence> removed, const SampleRange& range,
                       size_t top) const;

 private:
  SharesWithout shares_of_shortened(std::span<const Influence> removed, const SampleRange& range,
                                    size_t top) const;
  SharesWithout shares_of_picked(std::span<const Influence> removed, const SampleRange& range,
                                 size_t top) const;
  // Runs copies that are places of the text; whether each votes for `top`.
  std::vector<bool> votes_for(size_t top, std::span<const Words> places) const;

  const Engine& engine_;
  const Noise& noise_;
  Text text_;
  size_t classes_;
  StopToken stop_;
};

}  // namespace textcrs
