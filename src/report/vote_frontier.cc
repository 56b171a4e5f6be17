#include "textcrs/report/vote_frontier.h"

#include <fmt/format.h>

#include "report/text_table.h"

namespace textcrs {

std::string frontier_table(const std::vector<VoteTrial>& trials) {
  const VoteSetting chosen = best_of(trials).setting;
  const size_t most = trials.front().certified.size() - 1;
  std::vector<size_t> columns;
  for (const size_t edits : {0, 1, 2, 3, 5, 10, 20, 50})
    if (edits <= most) columns.push_back(edits);
  std::vector<TextRow> rows(1, {"", "edits", "temperature"});
  for (const size_t edits : columns)
    rows[0].push_back(edits == 0 ? "accuracy" : fmt::format("at {}", edits));
  rows[0].insert(rows[0].end(), {"area", ""});
  for (const VoteTrial& trial : trials) {
    TextRow& row = rows.emplace_back();
    row.push_back(is_on_frontier(trial, trials) ? "*" : "");
    row.push_back(fmt::format("{}", trial.setting.edits));
    row.push_back(fmt::format("{}", trial.setting.temperature));
    for (const size_t edits : columns)
      row.push_back(fmt::format("{:.1f}", 100 * trial.certified[edits]));
    row.push_back(fmt::format("{:.2f}", 100 * trial.area()));
    row.push_back(trial.setting == chosen ? "<- chosen" : "");
  }
  return align(rows);
}

}  // namespace textcrs
