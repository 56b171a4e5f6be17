#include "certify/vote_curve.h"

#include <algorithm>
#include <climits>

#include "textcrs/certify/votes.h"

namespace textcrs {

constexpr double kLargestCount = INT_MAX;  // of the frontier

double VoteCurve::gained_within(int64_t room) const {
  if (gains.empty()) return gain == 0 ? kUnlimited : static_cast<double>(room / gain);
  if (gains.back() <= room) return kUnlimited;
  return static_cast<double>(std::upper_bound(gains.begin(), gains.end(), room) - gains.begin() -
                             1);
}

bool VoteCurve::keeps(size_t lost, size_t gained) const {
  const int64_t room = slack - loss(lost);
  return room >= 0 && static_cast<double>(gained) <= gained_within(room);
}

int64_t VoteCurve::lead_after(size_t edits) const {
  edits = std::min(edits, kMostEdits);
  const int64_t gained =
      gains.empty() ? static_cast<int64_t>(edits) * gain : gains[std::min(edits, gains.size() - 1)];
  return lead - loss(edits) - gained;
}

size_t VoteCurve::lost_at_most(size_t units) const {
  if (losses.back() <= slack) return units;
  return static_cast<size_t>(std::upper_bound(losses.begin(), losses.end(), slack) -
                             losses.begin()) -
         1;
}

double VoteCurve::edits(size_t units) const {
  size_t count = 0;
  const size_t last = std::min(units, losses.size() - 1);
  while (count < last && keeps(count + 1, count + 1)) ++count;
  if (count < last) return static_cast<double>(count);
  return std::max(static_cast<double>(count), gained_within(slack - losses.back()));
}

bool is_clear(std::span<const VoteCurve> curves) {
  return std::all_of(curves.begin(), curves.end(),
                     [](const VoteCurve& curve) { return curve.slack >= 0; });
}

bool keep(std::span<const VoteCurve> curves, size_t lost, size_t gained) {
  return std::all_of(curves.begin(), curves.end(),
                     [&](const VoteCurve& curve) { return curve.keeps(lost, gained); });
}

int64_t lead_after(std::span<const VoteCurve> curves, size_t edits) {
  int64_t least = INT64_MAX;
  for (const VoteCurve& curve : curves) least = std::min(least, curve.lead_after(edits));
  return least;
}

double edits_of(std::span<const VoteCurve> curves, size_t units) {
  double most = kUnlimited;
  for (const VoteCurve& curve : curves) most = std::min(most, curve.edits(units));
  return most;
}

namespace {

std::vector<std::pair<int, int>> frontier_of(std::span<const VoteCurve> curves, size_t deletions) {
  std::vector<std::pair<int, int>> pairs;
  for (size_t lost = 0; lost <= deletions; ++lost) {
    double gained = kUnlimited;
    for (const VoteCurve& curve : curves)
      gained = std::min(gained, curve.gained_within(curve.slack - curve.loss(lost)));
    if (gained == kUnlimited) return {};
    const std::pair<int, int> pair(static_cast<int>(lost),
                                   static_cast<int>(std::min(gained, kLargestCount)));
    if (!pairs.empty() && pairs.back().second == pair.second)
      pairs.back() = pair;
    else
      pairs.push_back(pair);
  }
  return pairs;
}

}  // namespace

CertifiedSet certified_by(std::span<const VoteCurve> curves, size_t units, double substitutions) {
  CertifiedSet set;
  if (!is_clear(curves)) return set;
  size_t deletions = units;
  double insertions = kUnlimited;
  for (const VoteCurve& curve : curves) {
    deletions = std::min(deletions, curve.lost_at_most(units));
    insertions = std::min(insertions, curve.gained_within(curve.slack));
  }
  set.certified = true;
  set.guarantees = {{Operation::kSubstitution, kUnitWords, substitutions},
                    {Operation::kReordering, kUnitDisplacement, kUnlimited},
                    {Operation::kInsertion, kUnitWords, insertions},
                    {Operation::kDeletion, kUnitWords, static_cast<double>(deletions)},
                    {Operation::kEdit, kUnitWords, edits_of(curves, units)}};
  set.frontier = frontier_of(curves, deletions);
  return set;
}

}  // namespace textcrs
