// The networks whose features have bounds over candidates: one class per architecture.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/interval_arithmetic.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

// Thread-safe. The words of a call are those of the slots, at least one: an empty text is a PAD.
class IntervalNetwork {
 public:
  virtual ~IntervalNetwork() = default;

  // The pooled features of the text as it is, in double precision.
  virtual std::vector<double> features(std::span<const WordId> words) const = 0;
  // Contains the features, computed and exact, of every text in which each of the words is itself
  // or one of its candidates.
  virtual Box bounds(std::span<const WordId> words) const = 0;
};

// A bad_input Error for weights that are too large, or not finite. The classifier must outlive it.
std::unique_ptr<IntervalNetwork> make_interval_cnn(const Classifier& classifier);
std::unique_ptr<IntervalNetwork> make_interval_bilstm(const Classifier& classifier);

}  // namespace textcrs
