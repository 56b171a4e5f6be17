#include "textcrs/noise/word_hash.h"

#include "kernels/word_bucket.h"

namespace textcrs {

uint64_t mix_bits(uint64_t x) { return finalized_bits(x); }

uint32_t word_bucket(uint64_t spelling, uint32_t t, uint32_t buckets) {
  return bucket_of_hash(spelling, t, buckets);
}

uint64_t word_priority(uint64_t spelling) { return mix_bits(spelling); }

}  // namespace textcrs
