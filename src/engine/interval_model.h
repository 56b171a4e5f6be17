// A network in double precision, and bounds of what it says when words are replaced by their
// candidates: interval bound propagation (docs/certificates.md, B15).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/interval_network.h"

namespace textcrs {

// Thread-safe. Texts are cut to the model's slots, an empty one is read as a single PAD.
class IntervalModel {
 public:
  // A usage Error for an architecture that has no such bounds; throws as the networks do. The
  // classifier must outlive it.
  explicit IntervalModel(const Classifier& classifier);

  // One per class. What is bounded below is this evaluation, and its exact value.
  std::vector<double> scores(std::span<const WordId> words) const;
  int prediction(std::span<const WordId> words) const;  // ties go to the lowest class

  // Of every class: no more than its score is behind that of the class `top`, whatever candidates
  // the words are replaced by; 0 for `top` itself. The rounding of both scores is taken off.
  std::vector<double> least_leads(std::span<const WordId> words, int top) const;
  // Whether the class is the prediction for all of these texts.
  bool is_certain(std::span<const WordId> words, int top) const;

  std::vector<double> features(std::span<const WordId> words) const;
  Box feature_bounds(std::span<const WordId> words) const;

 private:
  std::vector<WordId> in_slots(std::span<const WordId> words) const;

  size_t slots_, classes_;
  std::vector<float> weight_, bias_;  // of the head: (C, F), (C)
  std::unique_ptr<const IntervalNetwork> network_;
};

}  // namespace textcrs
