#include <fmt/format.h>

#include <algorithm>

#include "report/comparison_csv.h"
#include "report/percent.h"
#include "report/table_formats.h"
#include "textcrs/base/counted.h"
#include "textcrs/report/comparison.h"

namespace textcrs {
namespace {

std::string accuracy_cell(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f}", 100 * *share) : "-";
}

std::string certified_cell(double share) {
  return share == 0 ? "0" : fmt::format("{:.1f}", percent_from_below(share));
}

std::string p_cell(const PairedTest& test) {
  return test.p < 0.001 ? "<0.001" : fmt::format("{:.3f}", test.p);
}

std::string number_cell(const std::optional<double>& number) {
  return number ? fmt::format("{:.10g}", *number) : "-";
}

bool differs(const std::vector<RunFigures>& runs, std::optional<double> RunFigures::*of) {
  return std::any_of(runs.begin(), runs.end(),
                     [&](const RunFigures& run) { return run.*of != runs[0].*of; });
}

bool has_wall_time(const std::vector<RunFigures>& runs) {
  return std::any_of(runs.begin(), runs.end(),
                     [](const RunFigures& run) { return run.wall_seconds.has_value(); });
}

std::string method_of(const RunFigures& run) {
  if (run.architecture.empty() || run.architecture == run.noise) return run.noise;
  return fmt::format("{}, {}", run.architecture, run.noise);
}

// Remarks that cells refer to by a number.
class Footnotes {
 public:
  std::string mark(const std::string& remark) {
    if (remark.empty()) return "";
    const auto known = std::find(remarks_.begin(), remarks_.end(), remark);
    const auto number = static_cast<size_t>(known - remarks_.begin()) + 1;
    if (known == remarks_.end()) remarks_.push_back(remark);
    return fmt::format(" [{}]", number);
  }
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  std::vector<std::string> remarks_;
};

std::string adversary(const Threat& threat) {
  if (threat.operation == Operation::kSubstitution)
    return threat.candidates.empty()
               ? "substitution by any word"
               : fmt::format("substitution by candidates ({}) that every model knows",
                             threat.candidates);
  if (threat.operation == Operation::kEdit) return "edits of any kind";
  return std::string(to_string(threat.operation));
}

std::string heading(const Comparison& comparison) {
  return fmt::format("Certified {} against {}: {} of {}{}, in %",
                     comparison.labelled ? "accuracy" : "share", adversary(comparison.threat),
                     counted(comparison.texts, "text"), comparison.data,
                     comparison.split.empty() ? "" : fmt::format(" ({})", comparison.split));
}

// What stands under a radius.
std::string legend(const Comparison& comparison) {
  const Operation operation = comparison.threat.operation;
  return fmt::format("{}, ..: {}{}s of up to so many {} can not change the answer",
                     radius_in_words(comparison.radii[0]), comparison.labelled ? "right, and " : "",
                     to_string(operation),
                     operation == Operation::kReordering ? "places in all" : "words");
}

std::vector<TextRow> figures_table(const Comparison& comparison, Footnotes& footnotes) {
  const auto& runs = comparison.runs;
  const bool samples = differs(runs, &RunFigures::samples);
  const bool alpha = differs(runs, &RunFigures::alpha), wall = has_wall_time(runs);
  std::vector<TextRow> rows = {{"run", "method"}};
  TextRow& names = rows[0];
  if (samples) names.emplace_back("N");
  if (alpha) names.emplace_back("alpha");
  if (comparison.labelled) names.insert(names.end(), {"accuracy", "answered"});
  for (const double radius : comparison.radii) names.push_back(radius_in_words(radius));
  names.insert(names.end(), {"median s", "mean s"});
  if (wall) names.emplace_back("wall s");
  for (const RunFigures& run : runs) {
    TextRow row = {run.name, method_of(run)};
    if (samples) row.push_back(number_cell(run.samples));
    if (alpha) row.push_back(number_cell(run.alpha));
    if (comparison.labelled) {
      row.push_back(accuracy_cell(run.accuracy));
      row.push_back(accuracy_cell(run.answered_accuracy));
    }
    const std::string mark = footnotes.mark(run.why_nothing.empty() ? run.how : run.why_nothing);
    for (const double share : run.certified) row.push_back(certified_cell(share) + mark);
    row.push_back(fmt::format("{:.3g}", run.median_seconds));
    row.push_back(fmt::format("{:.3g}", run.mean_seconds));
    if (wall) row.push_back(run.wall_seconds ? fmt::format("{:.3g}", *run.wall_seconds) : "-");
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<TextRow> tests_table(const Comparison& comparison) {
  std::vector<TextRow> rows = {{"run"}};
  if (comparison.labelled) rows[0].insert(rows[0].end(), {"accuracy", "answered"});
  for (const double radius : comparison.radii) rows[0].push_back(radius_in_words(radius));
  for (const RunFigures& run : comparison.runs) {
    if (!run.tests) continue;
    rows.push_back({run.name});
    if (run.tests->accuracy) rows.back().push_back(p_cell(*run.tests->accuracy));
    if (run.tests->answered_accuracy) rows.back().push_back(p_cell(*run.tests->answered_accuracy));
    for (const PairedTest& test : run.tests->certified) rows.back().push_back(p_cell(test));
  }
  return rows;
}

std::vector<std::string> notes(const Comparison& comparison, const Footnotes& footnotes) {
  std::vector<std::string> lines;
  for (size_t i = 0; i < footnotes.remarks().size(); ++i)
    lines.push_back(fmt::format("[{}] {}", i + 1, footnotes.remarks()[i]));
  lines.insert(lines.end(), comparison.notes.begin(), comparison.notes.end());
  for (const RunFigures& run : comparison.runs) {
    if (!run.complete) lines.push_back(fmt::format("{}: the run is not finished", run.name));
    if (!run.caveats.empty()) lines.push_back(fmt::format("{}: {}", run.name, run.caveats));
  }
  lines.push_back(legend(comparison));
  if (comparison.labelled)
    lines.emplace_back("accuracy counts an abstention by its guess, answered as wrong");
  lines.push_back(fmt::format(
      "median and mean: seconds that a text was in work, which overlap where several are at once{}",
      has_wall_time(comparison.runs) ? "; wall: those of the run, per text" : ""));
  return lines;
}

}  // namespace

std::string to_text(const Comparison& comparison, TableFormat format) {
  if (format == TableFormat::kCsv) return comparison_csv(comparison);
  const bool latex = format == TableFormat::kLatex, markdown = format == TableFormat::kMarkdown;
  const auto table = [&](const std::vector<TextRow>& rows) {
    return latex ? latex_table(rows) : markdown ? markdown_table(rows) : align(rows);
  };
  const auto prose = [&](const std::string& text) { return latex ? latex_text(text) : text; };
  const char* const gap = format == TableFormat::kText ? "\n" : "\n\n";
  Footnotes footnotes;
  std::string text = prose(heading(comparison)) + gap + table(figures_table(comparison, footnotes));
  if (comparison.runs.size() > 1)
    text += "\n" +
            prose(fmt::format("Probability of the difference to {} by chance (McNemar, exact)",
                              comparison.against)) +
            gap + table(tests_table(comparison));
  text += "\n";
  for (const std::string& note : notes(comparison, footnotes))
    text += fmt::format("{}{}\n", markdown ? "* " : "", prose(note) + (latex ? "\n" : ""));
  return text;
}

}  // namespace textcrs
