#include "certify/presence_votes.h"

#include <algorithm>
#include <numeric>

#include "certify/vote_tally.h"

namespace textcrs {
namespace {

std::vector<int32_t> rows_of(std::span<const int32_t> table, size_t classes,
                             const std::vector<int64_t>& words) {
  std::vector<int32_t> rows;
  for (const int64_t word : words) {
    const auto row = table.subspan(static_cast<size_t>(word) * classes, classes);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

}  // namespace

RankedGains ranked_gains(std::span<const int32_t> table, size_t classes,
                         std::span<const int64_t> units) {
  RankedGains ranked(classes * classes);
  for (size_t from = 0; from < classes; ++from)
    for (size_t to = 0; to < classes; ++to) {
      auto& gains = ranked[from * classes + to];
      for (const int64_t unit : units) {
        const int32_t* const row = table.data() + static_cast<size_t>(unit) * classes;
        if (row[to] > row[from]) gains.emplace_back(int64_t{row[to]} - row[from], unit);
      }
      std::sort(gains.begin(), gains.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
      });
    }
  return ranked;
}

PresenceVotes::PresenceVotes(const std::vector<int64_t>& bias, const RankedGains& ranked,
                             std::span<const int32_t> table, std::vector<int64_t> words,
                             std::vector<int> copies, std::optional<int64_t> threshold)
    : words_(std::move(words)), copies_(std::move(copies)) {
  const size_t classes = bias.size();
  units_ = static_cast<size_t>(std::accumulate(copies_.begin(), copies_.end(), 0));
  const std::vector<int32_t> scores = rows_of(table, classes, words_);
  VoteTally tally(bias);
  tally.add(scores);
  prediction_ = tally.answer;
  for (size_t other = 0; other < classes; ++other) {
    if (other == prediction_) continue;
    Rival& rival = rivals_.emplace_back();
    VoteCurve& curve = curves_.emplace_back();
    const std::vector<int32_t> leads = leads_of(scores, classes, prediction_, other);
    rival.leads.assign(leads.begin(), leads.end());
    curve.lead = tally.totals[prediction_] - tally.totals[other];
    curve.slack = tally.slack(other, threshold);
    // losses[a]: the knapsack of capacity a.
    std::vector<int64_t>& losses = curve.losses;
    losses.assign(units_ + 1, 0);
    for (size_t word = 0; word < words_.size(); ++word) {
      if (rival.leads[word] <= 0) continue;
      const auto weight = static_cast<size_t>(copies_[word]);
      for (size_t a = units_; a >= weight; --a)
        losses[a] = std::max(losses[a], losses[a - weight] + rival.leads[word]);
    }
    curve.gains = {0};
    for (const auto& [gain, unit] : ranked[prediction_ * classes + other]) {
      if (curve.gains.back() > curve.most()) break;
      if (std::binary_search(words_.begin(), words_.end(), unit)) continue;
      curve.gains.push_back(curve.gains.back() + gain);
      rival.newcomers.push_back(unit);
    }
  }
  totals_ = std::move(tally.totals);
}

CertifiedSet PresenceVotes::certified() const {
  return certified_by(curves_, units_,
                      std::min(edits_of(curves_, units_), static_cast<double>(units_)));
}

// The words whose copies fit into so many lost ones and whose leads are the most together.
std::vector<size_t> PresenceVotes::worst_losses(const Rival& rival, size_t lost) const {
  // best[w][a]: of the words before w, with capacity a.
  std::vector<std::vector<int64_t>> best(words_.size() + 1, std::vector<int64_t>(lost + 1));
  for (size_t word = 0; word < words_.size(); ++word) {
    const auto weight = static_cast<size_t>(copies_[word]);
    for (size_t a = 0; a <= lost; ++a) {
      best[word + 1][a] = best[word][a];
      if (a >= weight)
        best[word + 1][a] = std::max(best[word + 1][a], best[word][a - weight] + rival.leads[word]);
    }
  }
  std::vector<size_t> chosen;
  size_t left = lost;
  for (size_t word = words_.size(); word > 0; --word)
    if (best[word][left] != best[word - 1][left]) {
      chosen.push_back(word - 1);
      left -= static_cast<size_t>(copies_[word - 1]);
    }
  return chosen;
}

std::optional<VoteWitness> PresenceVotes::witness() const {
  const double harmless = edits_of(curves_, units_);
  if (!is_clear() || harmless == kUnlimited) return std::nullopt;
  const size_t count = static_cast<size_t>(harmless) + 1;
  const auto overtaken = std::find_if(curves_.begin(), curves_.end(), [&](const VoteCurve& curve) {
    return !curve.keeps(count, count);
  });
  const Rival& rival = rivals_[static_cast<size_t>(overtaken - curves_.begin())];
  const auto gained = static_cast<ptrdiff_t>(std::min(count, rival.newcomers.size()));
  return VoteWitness{worst_losses(rival, std::min(count, units_)),
                     {rival.newcomers.begin(), rival.newcomers.begin() + gained}};
}

}  // namespace textcrs
