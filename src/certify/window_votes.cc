#include "certify/window_votes.h"

#include <algorithm>

#include "certify/vote_tally.h"

namespace textcrs {
namespace {

// The harm one edit can do beside the words and windows that were there.
struct NewVotes {
  int64_t of_word = 0;
  int64_t of_windows = 0;           // around a word that comes
  int64_t of_windows_deletion = 0;  // over the gap of one that goes
};

struct Losses {
  std::vector<int64_t> word_and_windows;  // by place
  std::vector<int64_t> windows;           // those alone
  int64_t all_windows = 0;                // every window, once
};

// The displacement of the farthest order, all words turned round.
double farthest(size_t words) { return static_cast<double>(words * words / 2); }

}  // namespace

WindowVotes::WindowVotes(const VoteRule& words, std::span<const int32_t> scores,
                         std::span<const WindowScores> windows, std::optional<int64_t> threshold) {
  const size_t classes = words.classes(), places = scores.size() / classes;
  VoteTally tally(words.bias);
  tally.add(scores);
  for (const WindowScores& layer : windows) tally.add(layer.scores);
  prediction_ = tally.answer;
  clear_ = true;
  auto substitution = static_cast<double>(places), deletion = substitution;
  double insertion = kUnlimited, edit = kUnlimited;
  bool any_order = true;
  for (size_t other = 0; other < classes; ++other) {
    if (other == prediction_) continue;
    const int64_t slack = tally.slack(other, threshold);
    clear_ = clear_ && slack >= 0;
    Losses losses{std::vector<int64_t>(places), std::vector<int64_t>(places), 0};
    NewVotes gain;
    gain.of_word = words.gain(prediction_, other).votes();
    const std::vector<int32_t> leads = leads_of(scores, classes, prediction_, other);
    int64_t new_order = 0;  // the most that the windows of another order can bring
    for (size_t w = 0; w < windows.size(); ++w) {
      const size_t width = w + 2;
      const int64_t most = windows[w].rule.gain(prediction_, other).votes();
      gain.of_windows += static_cast<int64_t>(width) * most;
      gain.of_windows_deletion += static_cast<int64_t>(width - 1) * most;
      const auto window_leads = leads_of(windows[w].scores, classes, prediction_, other);
      new_order += static_cast<int64_t>(window_leads.size()) * most;
      for (size_t first = 0; first < window_leads.size(); ++first) {
        losses.all_windows += window_leads[first];
        if (window_leads[first] <= 0) continue;
        for (size_t i = first; i < first + width; ++i) losses.windows[i] += window_leads[first];
      }
    }
    for (size_t i = 0; i < places; ++i)
      losses.word_and_windows[i] = losses.windows[i] + std::max(leads[i], 0);
    const auto curve = [&](const std::vector<int64_t>& of_place, int64_t each) -> VoteCurve {
      VoteCurve all{tally.totals[prediction_] - tally.totals[other], slack, {}, {}, each};
      all.losses = largest_losses(of_place, all.most());
      return all;
    };
    const auto radius = [&](const std::vector<int64_t>& of_place, int64_t each) {
      return slack < 0 ? 0 : curve(of_place, each).edits(places);
    };
    curves_.push_back(curve(losses.word_and_windows, gain.of_word + gain.of_windows));
    const double edits = slack < 0 ? 0 : curves_.back().edits(places);
    edit = std::min(edit, edits);
    substitution = std::min(substitution, edits);
    insertion = std::min(insertion, radius(losses.windows, gain.of_word + gain.of_windows));
    deletion = std::min(deletion, radius(losses.word_and_windows, gain.of_windows_deletion));
    any_order = any_order && slack - losses.all_windows - new_order >= 0;
  }
  totals_ = std::move(tally.totals);
  if (!clear_) return;
  set_.certified = true;
  set_.guarantees = {{Operation::kSubstitution, kUnitWords, substitution},
                     {Operation::kReordering, kUnitDisplacement, any_order ? farthest(places) : 0},
                     {Operation::kInsertion, kUnitWords, insertion},
                     {Operation::kDeletion, kUnitWords, deletion},
                     {Operation::kEdit, kUnitWords, edit}};
}

}  // namespace textcrs
