// The three proofs of docs/certificates.md, B6: how far pA can fall and pB rise when words are
// replaced under the substitution noise.
#pragma once

#include <span>
#include <vector>

#include "certify/kernel_pair.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {

// Bounds around the edited text from those around the text. They may be off by rounding, by less
// than 10^-13; surely_ahead() leaves room for that.
Bounds after_overlap(Bounds bounds, double overlap);                 // (i), L1; overlap: q
Bounds after_ratio(Bounds bounds, double log_ratio);                 // (ii), L3; log_ratio: c
Bounds after_composition(Bounds bounds, const LossCurve& composed);  // (iii)
bool surely_ahead(Bounds after);

// The worst that any n replaced words of one text can do. Not thread-safe: compositions are made
// when they are first needed, and kept.
class TextRisk {
 public:
  // One risk for each position of the text whose word has candidates: the worst of them.
  explicit TextRisk(std::vector<const WordRisk*> risks);

  int positions() const { return static_cast<int>(log_ratios_.size()) - 1; }

  // The largest n <= positions() such that any n replaced words leave yA ahead, by each proof alone
  // and by the best of them.
  int by_overlap(Bounds bounds) const;
  int by_ratio(Bounds bounds) const;
  int by_composition(Bounds bounds);
  int radius(Bounds bounds);

 private:
  std::vector<double> overlaps_;    // q of the n positions with the largest variations
  std::vector<double> log_ratios_;  // c of the n positions with the largest ratios
  // Positions are ordered by falling variation. The j-th of any n positions is at place j or later,
  // so the pointwise maximum of the curves from place j on bounds it.
  std::vector<LossCurve> from_place_;
  LossDistribution distribution_;    // of the first composed_.size() of them
  std::vector<LossCurve> composed_;  // its curve after 1, 2, .. of them
};

}  // namespace textcrs
