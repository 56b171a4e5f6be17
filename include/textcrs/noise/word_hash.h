// Hash functions of words, the same on every machine and in every version: certificates that were
// counted with them (docs/certificates.md, B9) stay valid.
//
//   spelling_hash(w)    FNV-1a, 64 bits, over the UTF-8 bytes of w
//   mix_bits(x)         the finalizer of splitmix64, a bijection of the 64-bit numbers
//   word_bucket         the high 32 bits of mix_bits(spelling_hash(w) + (t + 1) * golden),
//                       golden = 0x9e3779b97f4a7c15, scaled to {0, .., buckets - 1}
//   word_priority       mix_bits(spelling_hash(w)); words are put in ascending order
#pragma once

#include <cstdint>
#include <string_view>

#include "textcrs/base/api.h"
#include "textcrs/base/hash.h"

namespace TEXTCRS_API textcrs {

constexpr uint64_t spelling_hash(std::string_view word) { return fnv1a(word); }

uint64_t mix_bits(uint64_t x);

// The t-th hash function of a word with this spelling_hash.
uint32_t word_bucket(uint64_t spelling, uint32_t t, uint32_t buckets);

uint64_t word_priority(uint64_t spelling);

}  // namespace textcrs
