#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "plot/figure_runs.h"
#include "plot/radii_shown.h"
#include "plot/shares.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs::plot {
namespace {

// What runs that belong together have in common: all that decides their results but N.
std::string rest_of(const RunFolder& run) {
  std::string rest;
  for (const char* setting : {"model", "noise", "alpha", "architecture", "bounds", "stop", "data"})
    rest += run.setting(setting) + "\n";
  return rest;
}

struct Group {
  std::string label;
  std::map<double, const RunFolder*> by_samples;
};

std::vector<Group> groups_of(const std::vector<NamedRun>& runs) {
  std::vector<Group> groups;
  std::vector<std::string> rests;
  std::set<std::string> noises;
  for (const NamedRun& named : runs) noises.insert(named.run.setting("noise"));
  for (const NamedRun& named : runs) {
    const std::optional<double> samples = named.run.number("samples");
    if (!samples || !(*samples > 0))
      throw usage_error(fmt::format("{}: nothing was sampled, so there is no N", named.name));
    const std::string rest = rest_of(named.run);
    const auto place =
        static_cast<size_t>(std::find(rests.begin(), rests.end(), rest) - rests.begin());
    if (place == rests.size()) {
      rests.push_back(rest);
      groups.push_back({named.run.setting("noise"), {}});
      if (runs.size() > 1 && noises.size() == 1 && groups.size() > 1)
        groups.back().label = named.name;
    }
    if (!groups[place].by_samples.emplace(*samples, &named.run).second)
      throw usage_error(fmt::format("{}: another run of the same model and noise has N = {}, too",
                                    named.name, shortest(*samples)));
  }
  return groups;
}

Panel panel_of(const Group& group, Operation operation, const std::vector<double>& radii,
               const std::string& share) {
  Panel panel;
  panel.title = group.label;
  panel.x.label = "N, noisy copies per text";
  panel.x.logarithmic = true;
  panel.y = {share, 0, 100};
  Series accuracy;
  accuracy.label = "accuracy";
  accuracy.style = 4;
  for (const auto& [samples, run] : group.by_samples)
    accuracy.points.push_back(accuracy_point(samples, *run));
  if (counted_texts(*group.by_samples.begin()->second).labelled) panel.series.push_back(accuracy);
  for (size_t i = 0; i < radii.size(); ++i) {
    Series curve;
    curve.label = radius_in_words(radii[i], operation, *group.by_samples.begin()->second);
    curve.style = i < 4 ? i : i + 1;
    for (const auto& [samples, run] : group.by_samples)
      curve.points.push_back(share_point(samples, sound_radii(*run, operation), radii[i]));
    panel.series.push_back(std::move(curve));
  }
  return panel;
}

}  // namespace

Chart samples_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  check_runs(runs, options.anyway);
  const std::vector<Group> groups = groups_of(runs);
  if (std::all_of(groups.begin(), groups.end(),
                  [](const Group& group) { return group.by_samples.size() < 2; }))
    throw usage_error("there is nothing to draw: no two runs differ in N and in nothing else");
  const Operation operation = operation_shown(runs, options);
  const std::vector<double> radii = radii_shown(runs, operation, options);
  Chart chart;
  chart.title = title_of(runs, options);
  for (const Group& group : groups)
    chart.panels.push_back(panel_of(group, operation, radii, share_label(runs)));
  return chart;
}

}  // namespace textcrs::plot
