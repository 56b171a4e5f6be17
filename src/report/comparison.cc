#include "textcrs/report/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "report/same_texts.h"
#include "textcrs/base/error.h"
#include "textcrs/noise/noise.h"
#include "textcrs/report/mcnemar.h"

namespace textcrs {
namespace {

// The tables of candidates that the certificates of a run are about.
std::vector<std::string> tables_of(const RunFolder& run) {
  std::vector<std::string> tables;
  for (const Record& record : run.records)
    for (const std::string& table :
         {record.certification.sound.candidates, record.certification.sound.synonyms})
      if (!table.empty() && std::find(tables.begin(), tables.end(), table) == tables.end())
        tables.push_back(table);
  return tables;
}

bool proves_about(const std::vector<std::string>& tables, const std::string& asked) {
  return std::any_of(tables.begin(), tables.end(),
                     [&](const std::string& table) { return includes_table(table, asked); });
}

// The table whose candidates replace words; empty: any word may.
std::string choose_table(const std::vector<NamedRun>& runs, const ComparisonOptions& options) {
  if (options.threat != Operation::kSubstitution || options.candidates == kAnyWord) return "";
  std::vector<std::vector<std::string>> of_runs;  // that are bound to some
  std::set<std::string> all;
  for (const NamedRun& named : runs) {
    std::vector<std::string> tables = tables_of(named.run);
    all.insert(tables.begin(), tables.end());
    if (!tables.empty()) of_runs.push_back(std::move(tables));
  }
  if (options.candidates) {
    if (all.contains(*options.candidates)) return *options.candidates;
    throw usage_error(fmt::format(
        "no run is about candidates of '{}'; the tables of the runs: {}", *options.candidates,
        all.empty() ? "none" : fmt::format("'{}'", fmt::join(all, "', '"))));
  }
  for (const std::string& table : all)
    if (std::all_of(of_runs.begin(), of_runs.end(),
                    [&](const auto& tables) { return proves_about(tables, table); }))
      return table;
  return "";
}

// Runs whose candidates have one name and are not the same: another file, or models that know other
// words of it. Runs of older versions do not say.
void note_other_tables(const std::vector<NamedRun>& runs, const std::string& table,
                       std::vector<std::string>& notes) {
  const NamedRun* first = nullptr;
  std::vector<std::string> others;
  for (const NamedRun& named : runs) {
    const std::string pairs = named.run.setting("synonyms");
    if (table.empty() || pairs.empty() || !proves_about(tables_of(named.run), table)) continue;
    if (first == nullptr) first = &named;
    if (pairs != first->run.setting("synonyms")) others.push_back(named.name);
  }
  if (!others.empty())
    notes.push_back(
        fmt::format("{} does not have the same pairs under the name {} as {}: each figure is about "
                    "its own, and the tests are not about one threat",
                    first->name, table, fmt::join(others, ", ")));
}

void check_names(const std::vector<NamedRun>& runs, const std::string& against) {
  if (runs.empty()) throw usage_error("there is no run to compare");
  std::set<std::string> names;
  for (const NamedRun& named : runs)
    if (!names.insert(named.name).second)
      throw usage_error(
          fmt::format("two runs are named '{}', expected names of their own", named.name));
  if (!against.empty() && !names.contains(against))
    throw usage_error(
        fmt::format("no run is named '{}'; the runs: {}", against, fmt::join(names, ", ")));
}

std::vector<double> default_radii(Operation threat) {
  if (threat == Operation::kReordering) return {2, 4, 8, 16, 32, kUnlimited};
  return {1, 2, 3, 5, 10};
}

// What a run says of the texts: whether each is right, and how far it is certified.
struct Outcomes {
  std::vector<bool> guessed, answered;  // right, where an abstention counts by its guess, as wrong
  std::vector<double> radii;            // -1: not certified, or wrong
};

Outcomes outcomes_of(const std::vector<const Record*>& texts, const Threat& threat, bool labelled,
                     std::string_view noise) {
  Outcomes outcomes;
  for (const Record* record : texts) {
    outcomes.guessed.push_back(record->label == record->prediction);
    outcomes.answered.push_back(record->correct());
    const bool counts = !labelled || record->correct();
    outcomes.radii.push_back(counts ? credit_against(threat, *record, noise).radius : -1);
  }
  return outcomes;
}

double share(size_t texts, size_t all) {
  return static_cast<double>(texts) / static_cast<double>(all);
}

double share(const std::vector<bool>& right) {
  return share(static_cast<size_t>(std::count(right.begin(), right.end(), true)), right.size());
}

std::vector<bool> reaches(const std::vector<double>& radii, double radius) {
  std::vector<bool> reached;
  for (const double r : radii) reached.push_back(r >= radius);
  return reached;
}

PairedTest test(const std::vector<bool>& mine, const std::vector<bool>& other) {
  PairedTest result;
  for (size_t i = 0; i < mine.size(); ++i) {
    result.only_this += mine[i] && !other[i];
    result.only_other += other[i] && !mine[i];
  }
  result.p = mcnemar_exact(result.only_this, result.only_other);
  return result;
}

RunFigures::Tests test(const Outcomes& mine, const Outcomes& other,
                       const std::vector<double>& radii, bool labelled) {
  RunFigures::Tests tests;
  if (labelled) {
    tests.accuracy = test(mine.guessed, other.guessed);
    tests.answered_accuracy = test(mine.answered, other.answered);
  }
  for (const double radius : radii)
    tests.certified.push_back(test(reaches(mine.radii, radius), reaches(other.radii, radius)));
  return tests;
}

// Why no text of a run can have a guarantee against the threat, and why another one counts.
void explain(const std::vector<const Record*>& texts, const Threat& threat, RunFigures& figures) {
  bool speaks = false, paper = false;
  for (const Record* record : texts) {
    const Credit credit = credit_against(threat, *record, figures.noise);
    speaks = speaks || credit.speaks;
    paper = paper || record->certification.paper.certified;
    if (figures.why_nothing.empty()) figures.why_nothing = credit.why_not;
    if (figures.how.empty()) figures.how = credit.how;
  }
  if (speaks) figures.why_nothing.clear();
  if (speaks || !figures.why_nothing.empty()) return;
  if (figures.noise == kNoNoise)
    figures.why_nothing = "nothing is certified: the model was trained without noise";
  else if (paper)
    figures.why_nothing = "only the paper's formula applies to its noise, and that is not proved";
  else
    figures.why_nothing = "nothing is certified about any of the texts";
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

void add_times(const std::vector<Record>& records, RunFigures& figures) {
  std::vector<double> seconds;
  double wall = 0;
  bool known = true;
  for (const Record& record : records) {
    seconds.push_back(record.seconds);
    known = known && record.wall_seconds.has_value();
    wall += record.wall_seconds.value_or(0);
  }
  const auto texts = static_cast<double>(seconds.size());
  figures.mean_seconds = std::accumulate(seconds.begin(), seconds.end(), 0.0) / texts;
  figures.median_seconds = median(std::move(seconds));
  if (known) figures.wall_seconds = wall / texts;
}

RunFigures describe(const NamedRun& named) {
  const RunFolder& run = named.run;
  RunFigures figures;
  figures.name = named.name;
  figures.architecture = run.setting("architecture");
  figures.noise = run.setting("noise");
  figures.samples = run.number("samples");
  figures.alpha = run.number("alpha");
  figures.complete = run.complete;
  figures.caveats = run.setting("caveats");
  add_times(run.records, figures);
  return figures;
}

// The texts that count, per run.
std::vector<std::vector<const Record*>> texts_per_run(const SameTexts& same, size_t runs,
                                                      bool labelled) {
  std::vector<std::vector<const Record*>> texts(runs);
  for (const SameText& text : same.texts)
    if (!labelled || text[0]->label)
      for (size_t i = 0; i < runs; ++i) texts[i].push_back(text[i]);
  return texts;
}

}  // namespace

Comparison compare_runs(const std::vector<NamedRun>& runs, const ComparisonOptions& options) {
  check_names(runs, options.against);
  SameTexts same = same_texts(runs, options.common);
  Comparison comparison;
  comparison.threat = {options.threat, choose_table(runs, options)};
  comparison.data = runs[0].run.data_name();
  comparison.split = runs[0].run.setting("split");
  comparison.labelled = std::any_of(same.texts.begin(), same.texts.end(), [](const SameText& text) {
    return text[0]->label.has_value();
  });
  comparison.radii = options.radii.empty() ? default_radii(options.threat) : options.radii;
  comparison.against = options.against.empty() ? runs[0].name : options.against;
  comparison.notes = std::move(same.notes);
  note_other_tables(runs, comparison.threat.candidates, comparison.notes);

  const auto texts = texts_per_run(same, runs.size(), comparison.labelled);
  comparison.texts = texts[0].size();
  std::vector<Outcomes> outcomes;
  size_t other = 0;
  for (size_t i = 0; i < runs.size(); ++i) {
    RunFigures figures = describe(runs[i]);
    outcomes.push_back(
        outcomes_of(texts[i], comparison.threat, comparison.labelled, figures.noise));
    for (const Record* record : texts[i]) figures.abstained += record->certification.abstained;
    if (comparison.labelled) {
      figures.accuracy = share(outcomes[i].guessed);
      figures.answered_accuracy = share(outcomes[i].answered);
    }
    for (const double radius : comparison.radii)
      figures.certified.push_back(share(reaches(outcomes[i].radii, radius)));
    explain(texts[i], comparison.threat, figures);
    if (figures.name == comparison.against) other = i;
    comparison.runs.push_back(std::move(figures));
  }
  for (size_t i = 0; i < runs.size(); ++i)
    if (i != other)
      comparison.runs[i].tests =
          test(outcomes[i], outcomes[other], comparison.radii, comparison.labelled);
  return comparison;
}

}  // namespace textcrs
