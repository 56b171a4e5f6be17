// The parameters of the noises. A noise and its certificate read them from the same spec with the
// same function, so that what is proved is what is drawn. (Those of `substitute` are the
// SubstitutionRule of textcrs/noise/substitution_kernel.h.)
//
// parse() throws a usage Error for a parameter that the noise does not have, lacks, or that is out
// of range; spec() leaves out parameters at their defaults, and parses to the same parameters.
#pragma once

#include <algorithm>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/base/spec.h"

namespace TEXTCRS_API textcrs {

// What a coin of probability p comes up with exactly: floor(p 2^64) / 2^64, for 0 < p < 1. It is p
// itself for every double p >= 2^-11.
double sampled_probability(double p);

// delete and universal.
struct DeletionParameters {
  double p = 0;            // probability that a word is deleted, as given
  bool shuffled = false;   // the survivors are shuffled
  bool universal = false;  // shuffled, under the name `universal`

  static DeletionParameters parse(const Spec& spec);
  std::string spec() const;
};

struct MaskParameters {
  double p = 0;  // probability that a word is masked, as given

  static MaskParameters parse(const Spec& spec);
  std::string spec() const;
};

struct ReorderParameters {
  enum class Kind { kFull, kBlock, kSorted, kGroups };
  Kind kind = Kind::kFull;
  int length = 0;  // L, of the blocks or groups; 0 for kFull

  static ReorderParameters parse(const Spec& spec);
  std::string spec() const;
};

struct InsertParameters {
  double sigma = 0;  // standard deviation of the Gaussian

  // The engines draw with sigma in float32: what is certified is the smaller of the two.
  double certified_sigma() const { return std::min<double>(sigma, static_cast<float>(sigma)); }

  static InsertParameters parse(const Spec& spec);
  std::string spec() const;
};

struct HashParameters {
  int buckets = 1;    // K
  int functions = 1;  // T

  static HashParameters parse(const Spec& spec);
  std::string spec() const;
};

}  // namespace textcrs
