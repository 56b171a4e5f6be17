#include <fmt/format.h>

#include <map>
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

constexpr size_t kManyAttacks = 6;
constexpr double kFlat = 0.3;

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

// Two bars per attack, before and after.
struct BeforeAndAfter {
  size_t good_before = 0, good_after = 0, all = 0;  // all = 0: no bar
};

Panel panel_of(const std::vector<NamedAttack>& attacks, const std::string& title,
               const std::string& before, const std::vector<BeforeAndAfter>& counts) {
  Panel panel;
  panel.title = title;
  panel.wide = attacks.size() > kManyAttacks;
  if (panel.wide) panel.proportion = kFlat;
  panel.x.least = -0.5;
  panel.x.most = static_cast<double>(attacks.size()) - 0.5;
  panel.y = {"share of texts, %", 0, 100};
  for (const bool after : {false, true}) {
    Series bars;
    bars.label = after ? "right after" : before;
    bars.form = Series::Form::kBars;
    bars.style = after ? 1 : 0;
    for (size_t i = 0; i < attacks.size(); ++i)
      if (counts[i].all > 0)
        bars.points.push_back(share_point(static_cast<double>(i),
                                          after ? counts[i].good_after : counts[i].good_before,
                                          counts[i].all));
    panel.series.push_back(std::move(bars));
  }
  for (size_t i = 0; i < attacks.size(); ++i)
    panel.x.ticks.push_back({static_cast<double>(i), attacks[i].name});
  return panel;
}

BeforeAndAfter of_all_texts(const NamedAttack& attack) {
  BeforeAndAfter counts;
  for (const AttackRecord& record : attack.records) {
    ++counts.all;
    counts.good_before += record.attempted();
    counts.good_after += record.attempted() && record.after == record.label;
  }
  return counts;
}

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
  std::vector<BeforeAndAfter> all;
  std::vector<std::string> models;  // in the order in which they were asked
  std::map<std::string, std::vector<BeforeAndAfter>> by_model;
  for (size_t i = 0; i < attacks.size(); ++i) {
    all.push_back(of_all_texts(attacks[i]));
    for (const AttackSummary::Model& model : summarize(attacks[i].records).models) {
      const auto [counts, is_new] = by_model.try_emplace(model.name, attacks.size());
      if (is_new) models.push_back(model.name);
      counts->second[i] = {model.all.certified, model.all.right, model.all.texts};
    }
  }
  Chart chart;
  chart.title = title;
  chart.panels.push_back(panel_of(attacks, "all texts", "right before", all));
  for (const std::string& model : models)
    chart.panels.push_back(panel_of(attacks, fmt::format("edited texts, {}", model),
                                    "right and certified before", by_model.at(model)));
  return chart;
}

}  // namespace textcrs::plot
