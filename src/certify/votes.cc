#include "textcrs/certify/votes.h"

#include <functional>

#include "certify/vote_curve.h"
#include "certify/vote_tally.h"

namespace textcrs {

struct TextVotes::Rival {
  VoteRule::Gain gain;
  std::vector<int32_t> leads;  // s_A - s_B of the units
};

VoteRule VoteRule::of_table(std::vector<int64_t> bias, std::span<const int32_t> scores) {
  VoteRule rule{std::move(bias), {}};
  const size_t classes = rule.classes();
  rule.gains.resize(classes * classes);
  for (size_t unit = 0; unit * classes < scores.size(); ++unit)
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
  for (size_t other = 0; other < rule.classes(); ++other) {
    if (other == prediction_) continue;
    Rival& rival = rivals_.emplace_back();
    rival.gain = rule.gain(prediction_, other);
    rival.leads = leads_of(scores, rule.classes(), prediction_, other);
    VoteCurve& curve = curves_.emplace_back();
    curve.lead = tally.totals[prediction_] - tally.totals[other];
    curve.slack = tally.slack(other, threshold);
    curve.losses = largest_losses(rival.leads, curve.most());
    curve.gain = rival.gain.votes();
  }
  totals_ = std::move(tally.totals);
}

TextVotes::~TextVotes() = default;

bool TextVotes::is_clear() const { return textcrs::is_clear(curves_); }

bool TextVotes::keeps(size_t lost, size_t gained) const { return keep(curves_, lost, gained); }

int64_t TextVotes::lead_after(size_t edits) const { return textcrs::lead_after(curves_, edits); }

// A unit that is replaced moves its lead and the best gain from A to B; where that is negative, the
// adversary leaves it alone.
double TextVotes::substitutions(const Rival& rival, const VoteCurve& curve) const {
  const double edits = curve.edits(units_);
  // The same as long as units are left whose loss is a loss.
  if (rival.gain.best >= 0 && edits + 1 < static_cast<double>(curve.losses.size())) return edits;
  std::vector<int32_t> leads = rival.leads;
  std::sort(leads.begin(), leads.end(), std::greater<>());
  int64_t left = curve.slack;
  for (size_t count = 0; count < units_; ++count) {
    left -= std::max<int64_t>(0, leads[count] + rival.gain.best);
    if (left < 0) return static_cast<double>(count);
  }
  return static_cast<double>(units_);
}

CertifiedSet TextVotes::certified() const {
  auto most = static_cast<double>(units_);
  for (size_t i = 0; i < rivals_.size(); ++i)
    most = std::min(most, substitutions(rivals_[i], curves_[i]));
  return certified_by(curves_, units_, most);
}

// The losses were added up one by one, so the least of those that are taken is known.
std::vector<size_t> TextVotes::worst_losses(const Rival& rival, const VoteCurve& curve,
                                            size_t count) const {
  const std::vector<int64_t>& losses = curve.losses;
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
  const double harmless = edits_of(curves_, units_);
  if (!is_clear() || harmless == kUnlimited) return std::nullopt;
  const size_t count = static_cast<size_t>(harmless) + 1;
  const auto overtaken = std::find_if(curves_.begin(), curves_.end(), [&](const VoteCurve& curve) {
    return !curve.keeps(count, count);
  });
  const Rival& rival = rivals_[static_cast<size_t>(overtaken - curves_.begin())];
  const bool gains = overtaken->gain > 0;
  if (gains && rival.gain.unit < 0) return std::nullopt;
  VoteWitness witness{worst_losses(rival, *overtaken, count), {}};
  if (gains) witness.gained.assign(count, rival.gain.unit);
  return witness;
}

}  // namespace textcrs
