#include "plot/figure_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "report/same_texts.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"

namespace textcrs::plot {
namespace {

// What all runs say; empty unless they agree.
template <typename Value>
std::string common(const std::vector<NamedRun>& runs, const Value& value) {
  const std::string first = value(runs.front().run);
  const bool same = std::all_of(runs.begin(), runs.end(),
                                [&](const NamedRun& named) { return value(named.run) == first; });
  return same ? first : "";
}

}  // namespace

void check_runs(const std::vector<NamedRun>& runs, bool anyway) {
  if (runs.empty()) throw usage_error("there is no run to draw");
  std::set<std::string> names;
  for (const NamedRun& named : runs) {
    if (named.name.empty())
      throw usage_error(fmt::format("the run {} has no name", named.run.folder.string()));
    if (!names.insert(named.name).second)
      throw usage_error(
          fmt::format("two runs are named '{}', expected names of their own", named.name));
  }
  if (!anyway) same_texts(runs, false);
}

std::string title_of(const std::vector<NamedRun>& runs, const RunFigureOptions& options) {
  if (options.title) return *options.title;
  const std::string data = common(runs, [](const RunFolder& run) { return run.data_name(); });
  const std::string texts =
      common(runs, [](const RunFolder& run) { return counted(run.records.size(), "text"); });
  const std::string split = common(runs, [](const RunFolder& run) { return run.setting("split"); });
  const std::string samples =
      common(runs, [](const RunFolder& run) { return run.setting("samples"); });
  const std::string alpha = common(runs, [](const RunFolder& run) { return run.setting("alpha"); });
  std::string title = texts;
  if (!data.empty()) title += (title.empty() ? "" : " of ") + data;
  if (!data.empty() && !split.empty()) title += fmt::format(" ({})", split);
  if (!samples.empty()) title += fmt::format("{}N = {}", title.empty() ? "" : ", ", samples);
  if (!samples.empty() && !alpha.empty()) title += fmt::format(", alpha = {}", alpha);
  return title;
}

std::string noise_kind(const RunFolder& run) {
  const std::string noise = run.setting("noise");
  return noise.substr(0, noise.find(':'));
}

std::string operation_words(Operation operation) {
  return operation == Operation::kEdit ? "edits of any kind" : std::string(to_string(operation));
}

std::string words_edited(Operation operation) {
  switch (operation) {
    case Operation::kSubstitution:
      return "words substituted";
    case Operation::kReordering:
      return "places moved, added up over all words";
    case Operation::kInsertion:
      return "words inserted";
    case Operation::kDeletion:
      return "words deleted";
    case Operation::kEdit:
      return "words edited";
  }
  return "";
}

}  // namespace textcrs::plot
