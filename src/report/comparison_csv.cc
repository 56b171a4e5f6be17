#include "report/comparison_csv.h"

#include <fmt/format.h>

#include <cmath>

#include "report/percent.h"
#include "report/table_formats.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

TextRow names(const Comparison& comparison) {
  TextRow row = {"run",   "architecture", "noise",    "samples",          "alpha",
                 "texts", "abstained",    "accuracy", "answered_accuracy"};
  for (const double radius : comparison.radii)
    row.push_back("certified_" + radius_in_words(radius));
  row.insert(row.end(), {"median_seconds", "mean_seconds", "wall_seconds", "p_accuracy",
                         "p_answered_accuracy"});
  for (const double radius : comparison.radii) row.push_back("p_" + radius_in_words(radius));
  row.insert(row.end(), {"why", "how"});
  return row;
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{:.10g}", *value) : "";
}

std::string percent(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}", 100 * *share) : "";
}

std::string p(const std::optional<PairedTest>& test) {
  return test ? fmt::format("{:.6g}", test->p) : "";
}

TextRow figures(const Comparison& comparison, const RunFigures& run) {
  TextRow row = {run.name,
                 run.architecture,
                 run.noise,
                 number(run.samples),
                 number(run.alpha),
                 std::to_string(comparison.texts),
                 std::to_string(run.abstained),
                 percent(run.accuracy),
                 percent(run.answered_accuracy)};
  for (const double share : run.certified)
    row.push_back(fmt::format("{:.1f}", percent_from_below(share)));
  row.insert(row.end(),
             {number(run.median_seconds), number(run.mean_seconds), number(run.wall_seconds)});
  const RunFigures::Tests tests = run.tests.value_or(RunFigures::Tests());
  row.insert(row.end(), {p(tests.accuracy), p(tests.answered_accuracy)});
  for (size_t i = 0; i < comparison.radii.size(); ++i)
    row.push_back(run.tests ? p(tests.certified[i]) : "");
  row.insert(row.end(), {run.why_nothing, run.how});
  return row;
}

}  // namespace

std::string radius_in_words(double radius) { return std::isinf(radius) ? "any" : shortest(radius); }

std::string comparison_csv(const Comparison& comparison) {
  std::vector<TextRow> rows = {names(comparison)};
  for (const RunFigures& run : comparison.runs) rows.push_back(figures(comparison, run));
  return csv_table(rows);
}

}  // namespace textcrs
