#include "textcrs/suite/tables.h"

#include <set>

#include "suite/shown_steps.h"
#include "suite/stale_files.h"
#include "suite/table_parts.h"
#include "suite/table_provenance.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEndings[] = {".md", ".tex", ".csv", ".json"};

// Those of the suite as it is now, done or not, and what is done of earlier plans.
std::vector<SuiteStep> all_steps(const SuiteManifest& manifest) {
  std::vector<SuiteStep> steps = manifest.steps;
  for (const SuiteStep& step : done_steps(manifest))
    if (manifest.find(step.name) == nullptr) steps.push_back(step);
  return steps;
}

MadeTable make_table(const TableSource& source, const SuiteTable& table) {
  if (table.kind == "benchmark" || table.kind == "clean") return make_method_table(source, table);
  if (table.kind == "attack-accuracy") return make_attack_table(source, table);
  if (table.kind == "certified-attacks" || table.kind == "universality")
    return make_defence_table(source, table);
  if (table.kind == "judge") return make_judge_table(source, table);
  return make_radius_table(source, table);
}

}  // namespace

SuiteTables make_tables(const Suite& suite, const SuiteManifest& manifest, const fs::path& out,
                        const PublishedNumbers& published, StopToken stop) {
  const std::vector<SuiteStep> steps = all_steps(manifest);
  const TableSource source = {suite, steps, out, published, stop};
  SuiteTables tables;
  for (const SuiteTable& wanted : suite.tables) {
    MadeTable table = make_table(source, wanted);
    if (table.runs.empty())
      tables.unmade.push_back({wanted.name, "none of its steps is done"});
    else
      tables.made.push_back(std::move(table));
  }
  return tables;
}

void write_tables(const SuiteTables& tables, const SuiteManifest& manifest, const fs::path& out) {
  const fs::path folder = out / "tables";
  fs::create_directories(folder);
  std::set<std::string> names;
  for (const MadeTable& table : tables.made) {
    names.insert(table.name);
    write_file_atomically(folder / (table.name + ".md"), to_markdown(table));
    write_file_atomically(folder / (table.name + ".tex"), to_latex(table));
    write_file_atomically(folder / (table.name + ".csv"), to_csv(table));
    write_file_atomically(folder / (table.name + ".json"), to_json(table));
  }
  remove_stale(folder, kEndings, names);
  SuiteManifest kept = manifest;
  for (auto* const steps : {&kept.steps, &kept.past})
    for (SuiteStep& step : *steps) step = portable(step, out);
  write_manifest(folder, kept);
}

}  // namespace textcrs
