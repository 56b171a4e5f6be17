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
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

// What a coin of probability p comes up with exactly: floor(p 2^64) / 2^64, for 0 < p < 1. It is p
// itself for every double p >= 2^-11.
double sampled_probability(double p);

// delete and universal.
struct DeletionParameters {
  double p = 0;            // probability that a word is deleted, as given
  bool shuffled = false;   // the survivors are shuffled
  bool universal = false;  // shuffled, under the name `universal`
  // The name of the list of stop words, which are always deleted (stop_list_name() of what the spec
  // has); empty: there are none.
  std::string stop = {};
  std::string stop_file = {};  // where the spec names a file: its words have to be those

  static DeletionParameters parse(const Spec& spec);
  std::string spec() const;

  // The vocabulary that marks the words that are always deleted; null: there are none. A usage
  // Error if the one given, which may be null, does not have the stop words of the list.
  const Vocabulary* stop_words_of(const Vocabulary* vocabulary) const;
};

// The stop words that the spec of a noise names, from their list; without a name if it names none.
StopWords find_stop_words_of(const Spec& spec);

// adapt: the probability depends on the number of words in a text (docs/certificates.md, B13).
struct AdaptParameters {
  double keep = 0;        // K: about so many words of a text survive
  double least = 0.6;     // the smallest probability that a word is deleted: of short texts
  double most = 0.99;     // the largest: of long texts
  double growth = 1.25;   // the lengths of a bin, which have one probability, grow by this factor
  bool shuffled = false;  // the survivors are shuffled

  static AdaptParameters parse(const Spec& spec);
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

// insert and gaussian.
struct GaussianParameters {
  double sigma = 0;       // standard deviation of the Gaussian
  bool in_place = false;  // `gaussian`: the words stay where they are

  // The engines draw with sigma in float32: what is certified is the smaller of the two.
  double certified_sigma() const { return std::min<double>(sigma, static_cast<float>(sigma)); }

  static GaussianParameters parse(const Spec& spec);
  std::string spec() const;
};

struct HashParameters {
  int buckets = 1;    // K
  int functions = 1;  // T

  static HashParameters parse(const Spec& spec);
  std::string spec() const;
};

}  // namespace textcrs
