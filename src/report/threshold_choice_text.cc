#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "report/percent.h"
#include "report/text_table.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/spec.h"
#include "textcrs/report/threshold_choice.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

std::string percent(double share) { return fmt::format("{:.1f}", percent_from_below(share)); }

ordered_json to_json(const ThresholdFigures& figures) {
  ordered_json json = {{"threshold", figures.threshold},
                       {"by_votes", figures.by_votes},
                       {"accuracy", figures.accuracy}};
  for (size_t r = 0; r < kEditsShown.size(); ++r)
    json["certified_accuracy"][std::to_string(kEditsShown[r])] = figures.certified[r];
  return json;
}

}  // namespace

std::string table(const std::vector<ThresholdFigures>& rows) {
  std::vector<TextRow> cells = {{"threshold", "% by votes", "accuracy"}};
  for (const size_t edits : kEditsShown) cells[0].push_back(counted(edits, "edit"));
  for (const ThresholdFigures& figures : rows) {
    TextRow row = {shortest(figures.threshold), percent(figures.by_votes),
                   percent(figures.accuracy)};
    for (const double share : figures.certified) row.push_back(percent(share));
    cells.push_back(std::move(row));
  }
  return align(cells);
}

std::string to_json(const ThresholdReport& report, const ThresholdChoice& choice) {
  std::optional<ThresholdFigures> chosen;
  if (report.wanted) chosen = choice.smallest_for(*report.wanted);
  ordered_json json = {{"model", report.model},
                       {"fallback", report.fallback},
                       {"data", report.data},
                       {"texts", report.texts},
                       {"strongest_vote", report.strongest_vote},
                       {"wanted", nullptr},
                       {"chosen", nullptr},
                       {"best", to_json(choice.best())}};
  if (report.wanted) json["wanted"] = *report.wanted;
  if (chosen) json["chosen"] = to_json(*chosen);
  json["thresholds"] = ordered_json::array();
  for (const ThresholdFigures& figures : choice.overview(chosen))
    json["thresholds"].push_back(to_json(figures));
  return json.dump();
}

}  // namespace textcrs
