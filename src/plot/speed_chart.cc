#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/figure_runs.h"
#include "textcrs/base/error.h"

namespace textcrs::plot {
namespace {

constexpr size_t kBins = 8;

struct Timed {
  double words = 0, seconds = 0, passes = 0;  // passes: per second
};

std::vector<Timed> timed_texts(const RunFolder& run) {
  std::vector<Timed> texts;
  for (const Record& record : run.records)
    if (record.seconds > 0 && record.words > 0)
      texts.push_back({static_cast<double>(record.words), record.seconds,
                       static_cast<double>(record.certification.samples) / record.seconds});
  std::stable_sort(texts.begin(), texts.end(),
                   [](const Timed& a, const Timed& b) { return a.words < b.words; });
  return texts;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

// The median and the quartiles of neighbours by length, in groups of equal size.
std::vector<Point> by_length(const std::vector<Timed>& texts, double Timed::*value) {
  const size_t bins = std::min(kBins, texts.size());
  std::vector<Point> points;
  for (size_t bin = 0; bin < bins; ++bin) {
    std::vector<double> words, values;
    for (size_t i = bin * texts.size() / bins; i < (bin + 1) * texts.size() / bins; ++i) {
      words.push_back(texts[i].words);
      values.push_back(texts[i].*value);
    }
    const double x = quantile(words, 0.5);
    if (!points.empty() && points.back().x >= x) continue;  // many texts of one length
    points.push_back({x, quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75)});
  }
  return points;
}

}  // namespace

Chart speed_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  check_runs(runs, true);
  Panel seconds, passes;
  seconds.x.label = passes.x.label = runs.front().run.records.front().unit + "s of the text";
  seconds.y.label = "seconds per text";
  passes.y.label = "passes per second";
  seconds.y.logarithmic = passes.y.logarithmic = true;
  seconds.x.logarithmic = passes.x.logarithmic = true;
  for (size_t i = 0; i < runs.size(); ++i) {
    const std::vector<Timed> texts = timed_texts(runs[i].run);
    if (texts.empty())
      throw usage_error(fmt::format("{}: its records have no times", runs[i].name));
    Series line;
    line.label = runs[i].name;
    line.style = i;
    line.points = by_length(texts, &Timed::seconds);
    seconds.series.push_back(line);
    std::vector<Timed> sampled = texts;
    std::erase_if(sampled, [](const Timed& text) { return !(text.passes > 0); });
    if (sampled.empty()) continue;
    line.points = by_length(sampled, &Timed::passes);
    passes.series.push_back(std::move(line));
  }
  Chart chart;
  chart.title = title_of(runs, options);
  chart.panels.push_back(std::move(seconds));
  if (!passes.series.empty()) chart.panels.push_back(std::move(passes));
  return chart;
}

}  // namespace textcrs::plot
