// Certificates without sampling: a noise is run through all its outcomes, the votes are counted,
// and what follows from them is certain. No alpha is spent.
#pragma once

#include <cstdint>

#include "textcrs/base/api.h"
#include "textcrs/certify/certifier.h"

namespace TEXTCRS_API textcrs {

// The most outcomes a text may have; margins of votes are then told apart in double precision.
constexpr uint64_t kMostOutcomes = 1'000'000'000;

// For a finite noise (docs/certificates.md, B9), from the votes over all `outcomes` copies of a
// text, equally likely; a copy that was empty cast none. The prediction is the class with the most
// votes, ties to the lowest index; it is abstained on unless it has more votes than every other
// class.
//   bounds   the shares of all outcomes, silent ones included, that vote for the prediction (pA,
//            rounded down) and for the next best class (pB, rounded up)
//   samples  the votes cast: the forward passes that were run
//   sound    what `certificate` (may be null) says of these bounds; it is the certificate of the
//            same noise. Rounding neither adds to nor takes from what the counts prove.
// Throws a usage Error for outcomes = 0 or above kMostOutcomes; std::logic_error unless there are
// at least two classes, no negative count and at most `outcomes` votes.
Certification certify_exactly(const Votes& votes, uint64_t outcomes, Text text,
                              const Certificate* certificate);

// What the probabilities of a law may be off in all, by the rounding of their computation.
constexpr double kShareError = 1e-10;

// For a text so short that all outcomes of a sampled noise could be run (docs/certificates.md, C):
// votes[c] outcomes, of probability shares[c] together, went to class c. The prediction is the
// class of the largest share; pA is its share less kShareError, pB the next share plus kShareError,
// at most 1 - pA. Either certificate may be null. Throws a std::logic_error unless there are at
// least two classes and the shares add up to 1.
Certification certify_shares(const Votes& votes, std::span<const double> shares, Text text,
                             const Certificate* sound, const Certificate* paper);

}  // namespace textcrs
