#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "plot/figure_runs.h"
#include "plot/radii_shown.h"
#include "plot/shares.h"
#include "report/same_texts.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs::plot {
namespace {

// The levels are noises, in order of their first run; the variants names.
struct Ablation {
  std::vector<std::string> variants, levels;
  std::map<std::pair<std::string, std::string>, const NamedRun*> runs;
};

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

Ablation ablation_of(const std::vector<NamedRun>& runs) {
  Ablation ablation;
  for (const NamedRun& named : runs) {
    if (named.name.empty())
      throw usage_error(fmt::format("the run {} has no name", named.run.folder.string()));
    const std::string noise = named.run.setting("noise");
    add_once(ablation.variants, named.name);
    add_once(ablation.levels, noise);
    if (!ablation.runs.emplace(std::pair(named.name, noise), &named).second)
      throw usage_error(
          fmt::format("two runs of {} are named '{}', expected one", noise, named.name));
  }
  return ablation;
}

// The points of the levels stand side by side at their variant.
template <typename Share>
Panel panel_of(const Ablation& ablation, const std::string& label, const Share& share) {
  Panel panel;
  panel.y.label = label;
  const double step = 0.6 / static_cast<double>(ablation.levels.size());
  for (size_t v = 0; v < ablation.variants.size(); ++v)
    panel.x.ticks.push_back({static_cast<double>(v), ablation.variants[v]});
  panel.x.least = -0.5;
  panel.x.most = static_cast<double>(ablation.variants.size()) - 0.5;
  for (size_t l = 0; l < ablation.levels.size(); ++l) {
    Series points;
    points.label = ablation.levels[l];
    points.form = Series::Form::kPoints;
    points.style = l;
    const double offset =
        step * (static_cast<double>(l) - static_cast<double>(ablation.levels.size() - 1) / 2);
    for (size_t v = 0; v < ablation.variants.size(); ++v) {
      const auto found = ablation.runs.find({ablation.variants[v], ablation.levels[l]});
      if (found != ablation.runs.end())
        points.points.push_back(share(static_cast<double>(v) + offset, *found->second));
    }
    panel.series.push_back(std::move(points));
  }
  return panel;
}

}  // namespace

Chart toolkit_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  if (runs.empty()) throw usage_error("there is no run to draw");
  const Ablation ablation = ablation_of(runs);
  if (!options.anyway) same_texts(runs, false);
  const Operation operation = operation_shown(runs, options);
  Chart chart;
  chart.title = title_of(runs, options);
  chart.panels.push_back(panel_of(ablation, "accuracy, %", [](double x, const NamedRun& named) {
    return accuracy_point(x, named.run);
  }));
  for (const double radius : radii_shown(runs, operation, options)) {
    chart.panels.push_back(
        panel_of(ablation, share_label(runs), [&](double x, const NamedRun& named) {
          return share_point(x, sound_radii(named.run, operation), radius);
        }));
    chart.panels.back().title = radius_in_words(radius, operation, runs.front().run);
  }
  chart.panels.front().title = "not attacked";
  return chart;
}

}  // namespace textcrs::plot
