// What an adversary can do to the lead of the answer over one other class, as a function of the
// units lost and gained; and the radii that follow from it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "textcrs/certify/certified_set.h"

namespace textcrs {

struct VoteCurve {
  int64_t lead = 0;  // of the answer over the other class
  // What the answer may lose and still be ahead; below 0: it is not.
  int64_t slack = 0;
  // losses[a]: the most that a lost units take away. Rising, from 0; behind the end as at the end,
  // which is above the lead and the slack, or the most that all units take away.
  std::vector<int64_t> losses = {0};
  // gains[b]: the most that b gained units take away, if they are not empty; behind the end as at
  // the end, in the same way. Otherwise every one takes `gain` away.
  std::vector<int64_t> gains = {};
  int64_t gain = 0;

  // How far losses and gains are worth knowing.
  int64_t most() const { return std::max(lead, slack); }
  int64_t loss(size_t lost) const { return losses[std::min(lost, losses.size() - 1)]; }
  // The most gained units that leave the answer ahead by `room` or less; kUnlimited: any number.
  double gained_within(int64_t room) const;

  bool keeps(size_t lost, size_t gained) const;
  // The least lead that so many edits leave; where it is below 0, it may be less than that. More
  // edits than kMostEdits count as that many.
  int64_t lead_after(size_t edits) const;
  size_t lost_at_most(size_t units) const;  // with nothing gained, out of so many
  // The most r so that r lost and r gained units are harmless; of `units` no more can be lost.
  double edits(size_t units) const;
};

// Of the curves against all other classes.
bool is_clear(std::span<const VoteCurve> curves);  // no slack is below 0
bool keep(std::span<const VoteCurve> curves, size_t lost, size_t gained);
int64_t lead_after(std::span<const VoteCurve> curves, size_t edits);
double edits_of(std::span<const VoteCurve> curves, size_t units);

// What they certify of a text of so many words: any reordering, deletions, insertions, edits, the
// maximal pairs (lost, gained), which are empty where any number may be gained, and the
// substitutions, which are known to the caller. Not certified unless is_clear().
CertifiedSet certified_by(std::span<const VoteCurve> curves, size_t units, double substitutions);

}  // namespace textcrs
