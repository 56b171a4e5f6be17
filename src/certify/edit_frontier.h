// Which mixtures of lost and gained words the deletion noise certifies (docs/certificates.md, B2).
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "certify/by_bounds.h"
#include "certify/text_difference.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {

struct EditFrontier {
  std::vector<std::pair<int, int>> pairs;  // the maximal certified (lost, gained), lost ascending
  int deletions = 0;                       // largest a with (a, 0) certified, at most the words
  int insertions = 0;                      // largest b with (0, b) certified
  int substitutions = 0;                   // largest s with (s, s) certified, at most the words
  bool all_deleted = false;                // (words, 0) is certified
  int edits = 0;  // largest r such that every mixture of r insertions, deletions, substitutions is

  bool contains(Difference difference) const;
};

// Reported numbers of inserted words stop here; they are larger only for p within 10^-6 of 1.
constexpr int kMostGained = 1'000'000;

// With t = 1 - (pA - pB), certified iff t p^-a + p^-b < 2 (equivalent to the form in B2, and
// decreasing in a and in b). Requires 0 <= p < 1, words >= 0, valid bounds with pa > pb. Takes
// O(words) steps: a rises, and b falls by at most two whenever a rises by one, for t p^-a < 1 <=
// p^-b.
EditFrontier edit_frontier(double p, Bounds bounds, int words);

// The frontiers of one text, each made once. Thread-safe.
class EditFrontiers {
 public:
  EditFrontiers(double p, int words) : p_(p), words_(words) {}

  // Valid as long as this object.
  const EditFrontier& at(Bounds bounds) const {
    return made_.at(bounds, [&] { return edit_frontier(p_, bounds, words_); });
  }

 private:
  double p_;
  int words_;
  ByBounds<EditFrontier> made_;
};

inline constexpr std::array kEditOperations = {Operation::kDeletion, Operation::kInsertion,
                                               Operation::kSubstitution, Operation::kEdit};

// Adds the guarantees about kEditOperations, and the frontier, to `set`. The text has so many
// words, stop words included, which the frontier does not count: where all of the others may go,
// all may.
void add_edit_guarantees(const EditFrontier& frontier, int words, CertifiedSet& set);

// Whether a text with this difference is certified (docs/certificates.md, B8): the condition that
// made the frontier, so the two never disagree.
// `beside_stop_words`: the difference is one of the other words.
Coverage compare_edit(const EditFrontier& frontier, Difference difference, bool beside_stop_words);

// The answer for an edited text that differs in its stop words alone, and the order where that does
// not matter.
Coverage other_stop_words();

}  // namespace textcrs
