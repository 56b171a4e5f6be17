#include "textcrs/report/run_folder.h"

#include <fmt/format.h>

#include "report/line_file.h"
#include "report/run_file.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

struct InWords {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return shortest(value); }
  std::string operator()(const std::string& value) const { return value; }
};

}  // namespace

std::string RunFolder::setting(std::string_view name) const {
  for (const Setting& setting : settings)
    if (setting.name == name) return std::visit(InWords(), setting.value);
  return "";
}

std::optional<double> RunFolder::number(std::string_view name) const {
  for (const Setting& setting : settings) {
    if (setting.name != name) continue;
    if (const auto* whole = std::get_if<uint64_t>(&setting.value))
      return static_cast<double>(*whole);
    if (const auto* any = std::get_if<double>(&setting.value)) return *any;
  }
  return std::nullopt;
}

std::string RunFolder::data_name() const {
  const std::string data = setting("data");
  return data.substr(0, data.rfind(' '));
}

std::string RunFolder::data_hash() const {
  const std::string data = setting("data");
  const size_t space = data.rfind(' ');
  return space == std::string::npos ? "" : data.substr(space + 1);
}

RunFolder read_run(const fs::path& folder) {
  if (!is_folder(folder))
    throw bad_input(fmt::format("{}: there is no such folder", folder.string()));
  if (!is_there(folder / kRunFile))
    throw bad_input(fmt::format("{}: found no {}, expected the folder of a certification run",
                                folder.string(), kRunFile));
  RunSettings run = read_run_file(folder / kRunFile);
  RunFolder read{folder, std::move(run.version), std::move(run.settings), {}, false};
  // Asked first: a run that ends in between is then read as one that goes on.
  read.complete = is_there(folder / kSummaryFile);
  if (is_there(folder / kResultsFile))
    read.records = read_lines(folder / kResultsFile, parse_record).records;
  if (read.records.empty())
    throw bad_input(fmt::format("{}: the run has no results yet", folder.string()));
  return read;
}

}  // namespace textcrs
