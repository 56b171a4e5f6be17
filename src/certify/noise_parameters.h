// The parameters of the noises that certificates are made for, read from their specs with the
// grammar of textcrs/noise/noise.h.
#pragma once

#include "textcrs/base/spec.h"

namespace textcrs {

struct DeletionParameters {
  double p;       // probability that a word is deleted, exactly as sampled
  bool shuffled;  // the survivors are shuffled
};
DeletionParameters deletion_parameters(const Spec& spec);  // delete and universal

double masking_probability(const Spec& spec);  // exactly as sampled

struct ReorderParameters {
  enum class Kind { kFull, kBlock, kSorted, kGroups } kind;
  int length;  // L, of the blocks or groups
};
ReorderParameters reorder_parameters(const Spec& spec);

struct HashParameters {
  int buckets;    // K
  int functions;  // T
};
HashParameters hash_parameters(const Spec& spec);

double insertion_sigma(const Spec& spec);

}  // namespace textcrs
