// Building blocks of the exact laws of tiny texts.
#pragma once

#include <span>

#include "textcrs/noise/noise.h"

namespace textcrs {

constexpr double kMaxOutcomes = 1e6;

// std::logic_error if a law would need more than kMaxOutcomes elementary outcomes.
void check_outcomes(double count);

double log_factorial(size_t n);  // unlike std::lgamma, thread-safe

// The text itself, for certain.
Law certain(std::span<const WordId> text);

// The number of distinct orders of the words, m! / (n_1! n_2! ..); infinite if it overflows.
double arrangements(std::span<const WordId> text);

// A uniform shuffle: every distinct arrangement of the words is equally likely.
Law shuffled(std::span<const WordId> text);

// An outcome of `left` followed by an independent outcome of `right`.
Law joined(const Law& left, const Law& right);

// law += weight * part
void mix_in(Law& law, const Law& part, double weight);

}  // namespace textcrs
