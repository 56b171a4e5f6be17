// The votes of a model over noisy copies of one text.
#pragma once

#include <cstdint>
#include <vector>

#include "textcrs/base/stop.h"
#include "textcrs/certify/certifier.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"

namespace textcrs {

// The copies are run in parts that take seconds; between two of them the stop token is asked, and
// an Error of kind kInterrupted thrown. What it refers to must outlive it.
class VoteCounter {
 public:
  VoteCounter(const Engine& engine, const Noise& noise, Text text, size_t classes, StopToken stop)
      : engine_(engine), noise_(noise), text_(text), classes_(classes), stop_(stop) {}

  // Over the samples of a range.
  Votes samples(const SampleRange& range) const;

  // Over all outcomes of a finite noise; an empty copy casts no vote.
  Votes outcomes(uint64_t count) const;

  // Over all outcomes of the noise's law, with the probability of those that went to each class.
  struct Shares {
    Votes votes;
    std::vector<double> shares;
  };
  Shares law() const;

 private:
  void add(Words copy, CopyBatch& batch) const;

  const Engine& engine_;
  const Noise& noise_;
  Text text_;
  size_t classes_;
  StopToken stop_;
};

}  // namespace textcrs
