// Certificates without sampling (docs/certificates.md, B9): a finite noise is run through all its
// outcomes, the votes are counted, and what follows from them is certain. No alpha is spent.
#pragma once

#include <cstdint>

#include "textcrs/certify/certifier.h"

namespace textcrs {

// The most outcomes a text may have; margins of votes are then told apart in double precision.
constexpr uint64_t kMostOutcomes = 1'000'000'000;

// From the votes over all `outcomes` copies of a text; a copy that was empty cast none. The
// prediction is the class with the most votes, ties to the lowest index; it is abstained on unless
// it has more votes than every other class.
//   bounds   the shares of all outcomes, silent ones included, that vote for the prediction (pA,
//            rounded down) and for the next best class (pB, rounded up)
//   samples  the votes cast: the forward passes that were run
//   sound    what `certificate` (may be null) says of these bounds; it is the certificate of the
//            same noise. Rounding neither adds to nor takes from what the counts prove.
// Throws a usage Error for outcomes = 0 or above kMostOutcomes and for words < 1; std::logic_error
// unless there are at least two classes, no negative count and at most `outcomes` votes.
Certification certify_exactly(const Votes& votes, uint64_t outcomes, int words,
                              const Certificate* certificate);

}  // namespace textcrs
