// An average of a model's parameters over the steps of its training.
//
// After step t = 1, 2, ... the average moves towards the parameters by the share
//   max(1 - decay, 10 / (t + 9)),
// so it begins with the parameters after the first step. While the second term is the larger one,
// the weight of step i is about proportional to i^9: the average is that of the last tenth or so of
// the steps, whatever their number, and what was learnt least is forgotten (Shamir and Zhang 2013,
// polynomial-decay averaging). From then on it is the exponential moving average.
#pragma once

#include <cstdint>

#include "textcrs/model/weights.h"

namespace textcrs {

class WeightAverage {
 public:
  explicit WeightAverage(double decay) : decay_(decay) {}

  // The share of the parameters after step `number`, counted from 1.
  double share(int64_t number) const;

  void add(const Weights& parameters, int64_t number);

  const Weights& values() const { return values_; }  // empty before the first step
  void restore(Weights values) { values_ = std::move(values); }

 private:
  double decay_;
  Weights values_;
};

}  // namespace textcrs
