#include "textcrs/certify/votes.h"

#include <functional>

#include "certify/vote_curve.h"
#include "certify/vote_tally.h"

namespace textcrs {

// Its curve, and s_A - s_B of the units.
struct TextVotes::Rival {
  size_t other = 0;
  VoteRule::Gain gain;
  VoteCurve curve;
  std::vector<int32_t> leads;
};

VoteRule VoteRule::of_table(std::vector<int64_t> bias, std::span<const int32_t> scores,
                            size_t first) {
  VoteRule rule{std::move(bias), {}};
  const size_t classes = rule.classes();
  rule.gains.resize(classes * classes);
  for (size_t unit = first; unit * classes < scores.size(); ++unit)
    for (size_t from = 0; from < classes; ++from)
      for (size_t to = 0; to < classes; ++to) {
        const int64_t moved = int64_t{scores[unit * classes + to]} - scores[unit * classes + from];
        Gain& largest = rule.gains[from * classes + to];
        if (largest.unit < 0 || moved > largest.best) largest = {moved, static_cast<int64_t>(unit)};
      }
  return rule;
}

TextVotes::TextVotes(const VoteRule& rule, std::span<const int32_t> scores,
                     std::optional<int64_t> threshold)
    : units_(scores.size() / rule.classes()) {
  VoteTally tally(rule.bias);
  tally.add(scores);
  prediction_ = tally.answer;
  rivals_.reserve(rule.classes());
  for (size_t other = 0; other < rule.classes(); ++other) {
    if (other == prediction_) continue;
    Rival& rival = rivals_.emplace_back();
    rival.other = other;
    rival.gain = rule.gain(prediction_, other);
    rival.leads = leads_of(scores, rule.classes(), prediction_, other);
    rival.curve.lead = tally.totals[prediction_] - tally.totals[other];
    rival.curve.slack = tally.slack(other, threshold);
    rival.curve.losses = largest_losses(rival.leads, rival.curve.most());
    rival.curve.gain = rival.gain.votes();
  }
  totals_ = std::move(tally.totals);
}

TextVotes::~TextVotes() = default;

int64_t TextVotes::lead() const {
  int64_t next = INT64_MIN;
  for (const Rival& rival : rivals_) next = std::max(next, totals_[rival.other]);
  return totals_[prediction_] - next;
}

int64_t TextVotes::lead_after(size_t edits) const {
  int64_t least = INT64_MAX;
  for (const Rival& rival : rivals_) least = std::min(least, rival.curve.lead_after(edits));
  return least;
}

bool TextVotes::is_clear() const {
  return std::all_of(rivals_.begin(), rivals_.end(),
                     [](const Rival& rival) { return rival.curve.slack >= 0; });
}

bool TextVotes::keeps(size_t lost, size_t gained) const {
  return std::all_of(rivals_.begin(), rivals_.end(),
                     [&](const Rival& rival) { return rival.curve.keeps(lost, gained); });
}

// A unit that is replaced moves its lead and the best gain from A to B; where that is negative, the
// adversary leaves it alone.
double TextVotes::substitutions(const Rival& rival) const {
  const double edits = rival.curve.edits(units_);
  // The same as long as units are left whose loss is a loss.
  if (rival.gain.best >= 0 && edits + 1 < static_cast<double>(rival.curve.losses.size()))
    return edits;
  std::vector<int32_t> leads = rival.leads;
  std::sort(leads.begin(), leads.end(), std::greater<>());
  int64_t left = rival.curve.slack;
  for (size_t count = 0; count < units_; ++count) {
    left -= std::max<int64_t>(0, leads[count] + rival.gain.best);
    if (left < 0) return static_cast<double>(count);
  }
  return static_cast<double>(units_);
}

CertifiedSet TextVotes::certified() const {
  CertifiedSet set;
  if (!is_clear()) return set;
  auto substitution = static_cast<double>(units_), deletion = substitution;
  double insertion = kUnlimited, edit = kUnlimited;
  std::vector<const VoteCurve*> curves;
  for (const Rival& rival : rivals_) {
    substitution = std::min(substitution, substitutions(rival));
    deletion = std::min(deletion, static_cast<double>(rival.curve.lost_at_most(units_)));
    insertion = std::min(insertion, rival.curve.gained_within(rival.curve.slack));
    edit = std::min(edit, rival.curve.edits(units_));
    curves.push_back(&rival.curve);
  }
  set.certified = true;
  set.guarantees = {{Operation::kSubstitution, kUnitWords, substitution},
                    {Operation::kReordering, kUnitDisplacement, kUnlimited},
                    {Operation::kInsertion, kUnitWords, insertion},
                    {Operation::kDeletion, kUnitWords, deletion},
                    {Operation::kEdit, kUnitWords, edit}};
  set.frontier = frontier_of(curves, units_);
  return set;
}

// The losses were added up one by one, so the least of those that are taken is known.
std::vector<size_t> TextVotes::worst_losses(const Rival& rival, size_t count) const {
  const std::vector<int64_t>& losses = rival.curve.losses;
  const size_t taken = std::min(count, losses.size() - 1);
  const int64_t least = taken == 0 ? 0 : losses[taken] - losses[taken - 1];
  size_t ties =
      taken - static_cast<size_t>(std::count_if(rival.leads.begin(), rival.leads.end(),
                                                [&](int32_t lead) { return lead > least; }));
  std::vector<size_t> places;
  places.reserve(taken);
  for (size_t place = 0; place < units_ && places.size() < taken; ++place) {
    const bool ties_in = rival.leads[place] == least && ties > 0;
    if (ties_in) --ties;
    if (ties_in || rival.leads[place] > least) places.push_back(place);
  }
  return places;
}

std::optional<VoteWitness> TextVotes::witness() const {
  if (!is_clear()) return std::nullopt;
  double harmless = kUnlimited;
  for (const Rival& rival : rivals_) harmless = std::min(harmless, rival.curve.edits(units_));
  if (harmless == kUnlimited) return std::nullopt;
  const size_t count = static_cast<size_t>(harmless) + 1;
  for (const Rival& rival : rivals_) {
    if (rival.curve.keeps(count, count)) continue;
    const bool gains = rival.curve.gain > 0;
    if (gains && rival.gain.unit < 0) return std::nullopt;
    VoteWitness witness{static_cast<int>(rival.other), worst_losses(rival, count), {}};
    if (gains) witness.gained.assign(count, rival.gain.unit);
    return witness;
  }
  return std::nullopt;
}

}  // namespace textcrs
