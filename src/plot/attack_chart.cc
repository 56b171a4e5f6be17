#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "plot/shares.h"
#include "report/line_file.h"
#include "report/run_file.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"
#include "textcrs/plot/attack_figure.h"
#include "textcrs/report/attack_summary.h"

namespace textcrs::plot {
namespace {

namespace fs = std::filesystem;

constexpr size_t kManyBars = 12;
constexpr double kWide = 7, kFlat = 0.4;  // inches; height by width

std::string recipe_of(const fs::path& run_file) {
  for (const Setting& setting : read_run_file(run_file).settings)
    if (setting.name == "recipe")
      if (const auto* name = std::get_if<std::string>(&setting.value)) return *name;
  throw bad_input(
      fmt::format("{}: found no recipe, expected the run of an attack", run_file.string()));
}

void check_attacks(const std::vector<NamedAttack>& attacks) {
  if (attacks.empty()) throw usage_error("there is no attack to draw");
  std::set<std::string> names;
  for (const NamedAttack& attack : attacks)
    if (!names.insert(attack.name).second)
      throw usage_error(
          fmt::format("two attacks are named '{}', expected names of their own", attack.name));
}

// A place of the x axis per attack; a series with a bar at the places that it is added at.
class Bars {
 public:
  void add(const std::string& label, size_t place, size_t good, size_t all) {
    auto series = std::find_if(panel_.series.begin(), panel_.series.end(),
                               [&](const Series& other) { return other.label == label; });
    if (series == panel_.series.end()) {
      series = panel_.series.insert(series, Series());
      series->label = label;
      series->form = Series::Form::kBars;
      series->style = panel_.series.size() - 1;
    }
    series->points.push_back(share_point(static_cast<double>(place), good, all));
  }

  Panel take(const std::vector<NamedAttack>& attacks) {
    panel_.y = {"share of texts, %", 0, 100};
    panel_.x.least = -0.5;
    panel_.x.most = static_cast<double>(attacks.size()) - 0.5;
    for (size_t i = 0; i < attacks.size(); ++i)
      panel_.x.ticks.push_back({static_cast<double>(i), attacks[i].name});
    return std::move(panel_);
  }

 private:
  Panel panel_;
};

}  // namespace

NamedAttack read_attack(const fs::path& folder, const std::string& name) {
  if (!is_folder(folder))
    throw bad_input(fmt::format("{}: there is no such folder", folder.string()));
  if (!is_there(folder / kRunFile))
    throw bad_input(fmt::format("{}: found no {}, expected the folder of an attack",
                                folder.string(), kRunFile));
  NamedAttack attack;
  const std::string recipe = recipe_of(folder / kRunFile);
  attack.name = name.empty() ? recipe : name;
  if (is_there(folder / kResultsFile))
    attack.records = read_lines(folder / kResultsFile, parse_attack_record).records;
  if (attack.records.empty())
    throw bad_input(fmt::format("{}: the attack has no results yet", folder.string()));
  return attack;
}

Chart attack_chart(const std::vector<NamedAttack>& attacks, const std::string& title) {
  check_attacks(attacks);
  Bars bars;
  for (size_t i = 0; i < attacks.size(); ++i) {
    const std::vector<AttackRecord>& records = attacks[i].records;
    const auto right_after =
        std::count_if(records.begin(), records.end(), [](const AttackRecord& record) {
          return record.attempted() && record.after == record.label;
        });
    const AttackSummary summary = summarize(records);
    bars.add("all texts: right before", i, summary.attempted, summary.texts);
    bars.add("all texts: right after", i, static_cast<size_t>(right_after), summary.texts);
    for (const AttackSummary::Model& model : summary.models) {
      const AttackSummary::Counts& counts = model.all;
      bars.add(fmt::format("edited texts, {}: right and certified before", model.name), i,
               counts.certified, counts.texts);
      bars.add(fmt::format("edited texts, {}: right after", model.name), i, counts.right,
               counts.texts);
    }
  }
  Chart chart;
  chart.title = title;
  chart.panels.push_back(bars.take(attacks));
  if (attacks.size() * chart.panels[0].series.size() > kManyBars) {
    chart.width = kWide;
    chart.panels[0].proportion = kFlat;
  }
  return chart;
}

}  // namespace textcrs::plot
