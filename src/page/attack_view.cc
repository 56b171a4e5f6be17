#include "page/attack_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/line_file.h"
#include "report/run_file.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"

namespace textcrs {
namespace {

constexpr const char* kRecipe = "recipe";

std::string value_of(const RunSettings& run, const char* name) {
  for (const Setting& setting : run.settings)
    if (setting.name == name)
      if (const auto* text = std::get_if<std::string>(&setting.value)) return *text;
  return "";
}

RunSettings settings_of(const std::filesystem::path& folder) {
  if (!is_folder(folder))
    throw bad_input(fmt::format("{}: there is no such folder", folder.string()));
  if (!is_there(folder / kRunFile))
    throw bad_input(
        fmt::format("{}: found no {}, expected the folder of a run", folder.string(), kRunFile));
  return read_run_file(folder / kRunFile);
}

}  // namespace

bool is_attack(const std::filesystem::path& folder) {
  return !value_of(settings_of(folder), kRecipe).empty();
}

AttackView attack_view_of(const std::string& name, const std::filesystem::path& folder) {
  const RunSettings run = settings_of(folder);
  AttackView view;
  view.name = name;
  view.recipe = value_of(run, kRecipe);
  const std::string data = value_of(run, "data");
  view.data = data.substr(0, data.rfind(' '));
  view.complete = is_there(folder / kSummaryFile);
  if (is_there(folder / kResultsFile))
    view.records = read_lines(folder / kResultsFile, parse_attack_record).records;
  if (view.records.empty())
    throw bad_input(fmt::format("{}: the run has no results yet", folder.string()));
  view.summary = summarize(view.records);
  return view;
}

std::vector<const AttackRecord*> nearest_successes(const AttackView& attack, size_t most) {
  std::vector<const AttackRecord*> found;
  for (const AttackRecord& record : attack.records)
    if (record.succeeded()) found.push_back(&record);
  std::stable_sort(found.begin(), found.end(), [](const AttackRecord* a, const AttackRecord* b) {
    return a->differences.size() < b->differences.size();
  });
  if (found.size() > most) found.resize(most);
  return found;
}

}  // namespace textcrs
