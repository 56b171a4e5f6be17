#include <fmt/format.h>

#include <algorithm>

#include "plot/figure_runs.h"
#include "plot/shares.h"
#include "textcrs/base/error.h"
#include "textcrs/report/threat.h"

namespace textcrs::plot {
namespace {

// Per text what is proved against the threat; empty with the reason if no certificate of the run
// speaks of it.
std::vector<double> proved_radii(const RunFolder& run, const Threat& threat, std::string& why) {
  const std::string noise = run.setting("noise");
  bool speaks = false;
  for (const Record& record : run.records) {
    const Credit credit = credit_against(threat, record, noise);
    speaks = speaks || credit.speaks;
    if (why.empty()) why = credit.why_not;
  }
  if (!speaks) return {};
  return radii_of(
      run, [&](const Record& record) { return credit_against(threat, record, noise).radius; });
}

}  // namespace

Chart edits_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  check_runs(runs, options.anyway);
  if (options.operations.size() > 1)
    throw usage_error("this figure is about one operation, or about edits of any kind");
  Threat threat;
  if (!options.operations.empty()) threat.operation = options.operations[0];

  std::vector<std::vector<double>> radii;
  std::string why;
  for (const NamedRun& named : runs) {
    std::string reason;
    radii.push_back(proved_radii(named.run, threat, reason));
    if (why.empty() && radii.back().empty())
      why = fmt::format("{}: {}", named.name,
                        reason.empty() ? "nothing is certified about any of the texts" : reason);
  }
  if (std::all_of(radii.begin(), radii.end(), [](const auto& r) { return r.empty(); }))
    throw usage_error(fmt::format("there is nothing to draw: no run proves anything about {} ({})",
                                  operation_words(threat.operation), why));

  const RadiusAxis axis = radius_axis(radii);
  Panel panel;
  panel.x = {words_edited(threat.operation), 0, axis.end, false, axis.ticks};
  panel.y = {share_label(runs), 0, 100};
  for (size_t i = 0; i < runs.size(); ++i) {
    if (radii[i].empty()) continue;
    Series curve = curve_through(radii[i], axis);
    curve.label = runs[i].name;
    curve.style = panel.series.size();
    panel.series.push_back(std::move(curve));
  }
  Chart chart;
  chart.title = title_of(runs, options);
  chart.panels.push_back(std::move(panel));
  return chart;
}

}  // namespace textcrs::plot
