// Certified inference, Algorithm 2 of the paper: choose a class with N0 samples, bound its
// probability with up to N fresh ones, turn the bound into certified sets, abstain when nothing is
// certain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certify/embedding_change.h"
#include "textcrs/certify/sequential.h"
#include "textcrs/certify/warning.h"
#include "textcrs/certify/witness.h"

namespace TEXTCRS_API textcrs {

// Votes of the base classifier, one count per class, for the samples [begin, end) of one text.
// Every sample casts one vote; the number of classes is the same in every call.
using Votes = std::vector<int64_t>;
using VoteSource = std::function<Votes(uint32_t begin, uint32_t end)>;

struct CertifierOptions {
  uint32_t selection_samples = 100;      // N0: sample indices [0, N0)
  uint32_t estimation_samples = 100000;  // N: sample indices [N0, N0 + N)
  double alpha = 0.001;                  // probability that a certificate is wrong, per text
  BoundsMethod bounds = BoundsMethod::kAuto;
  StopRule stop = {};
};

struct Certification {
  int prediction = 0;      // the class chosen with the N0 samples; ties go to the lowest index
  bool abstained = false;  // nothing is certain, not even the prediction: pA <= pB
  Votes counts;            // of the estimation samples drawn
  Bounds bounds;           // with a stop rule the best of all looks (docs/certificates.md, C)
  CertifiedSet sound;      // not certified if abstained or if no such certificate was given
  CertifiedSet paper;
  uint32_t samples = 0;  // drawn in all, N0 + N unless stopped early
  StopReason stop = StopReason::kAllDrawn;
  bool exact = false;  // all outcomes were counted: certify/deterministic.h
  // Under the insertion noise only. The certifier does not know which words are near: its caller
  // fills it in.
  std::optional<SingleEdits> single_edits;
  std::optional<Witness> witness;  // of votes: what is just not certified
  bool by_fallback = false;        // of a cascade: the votes were not clear, another model answered
  // Nor does it know the model: its caller fills them in, too.
  std::vector<Warning> warnings;
};

// Throws a usage Error for N0 or N = 0, N0 + N >= 2^32, alpha outside (0, 1), a stop radius below
// 0, two stop rules at once and a stop operation without a rule.
void check_options(const CertifierOptions& options);

// Either certificate may be null: not every noise has both (see find_certificate). A stop rule
// follows the sound one where there is one. Throws a usage Error as check_options() and
// watched_operation() do, and for a stop rule without a certificate, before any sample is drawn;
// std::logic_error if the source's votes are not what VoteSource promises. The
// samples are drawn in the order of their indices.
Certification certify_text(const VoteSource& votes, Text text, const Certificate* sound,
                           const Certificate* paper, const CertifierOptions& options);

}  // namespace textcrs
