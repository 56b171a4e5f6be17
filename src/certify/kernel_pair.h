// What it does to the substitution noise when one word is replaced: the kernel of the word compared
// with that of the other (docs/certificates.md, B6).
#pragma once

#include <vector>

#include "certify/loss_distribution.h"
#include "textcrs/noise/substitution_kernel.h"

namespace textcrs {

// Bounds for the laws that the noise really draws from, around a word (P) and around another (Q).
// By default of two equal laws.
struct WordRisk {
  double log_ratio = 0;  // max |ln Q - ln P|; infinite where the supports differ
  LossCurve curve;

  double variation() const { return curve.at(0); }  // the total variation: H(1)
  void raise(const WordRisk& other);                // to a bound for either pair
};

// The drawn law of a kernel of n words differs from the probabilities that the kernel states: they
// add up to 1 within n 2^-52, the alias table is built with n subtractions, and each of its 2 n
// borders lies on the grid of a 53-bit number. That changes the probability of any set of words by
// at most n 2^-50. The rest of this bound is for the rounding of the comparison itself.
constexpr double kDrawError = 0x1p-48;  // per word of the kernel

// Compares one word with others. Not thread-safe: it has scratch memory.
class KernelPair {
 public:
  KernelPair(const SubstitutionKernel& kernel, WordId word);  // the kernel must outlive it

  WordRisk with(WordId other);

 private:
  double before(WordId outcome) const;  // P
  LossCurve sweep(int lowest, int highest, double infinite, double error_after);

  const SubstitutionKernel& kernel_;
  WordId word_;
  std::vector<double> before_;         // by word, 0 outside the support
  size_t support_ = 0;                 // the size of the support
  double least_ = 1;                   // the least positive probability
  std::vector<double> excess_, mass_;  // by grid cell i: sums of Q - t_i P and of P; else zero
};

}  // namespace textcrs
