#include "textcrs/plot/run_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "textcrs/base/error.h"

namespace textcrs::plot {
namespace {

std::string folder_name(const RunFolder& run) {
  const auto folder = run.folder.lexically_normal();
  return (folder.has_filename() ? folder : folder.parent_path()).filename().string();
}

std::string described(const RunFolder& run, const std::string& setting) {
  const std::string value = setting == "data" ? run.data_name() : run.setting(setting);
  const bool says_nothing = setting == "architecture" && value == run.setting("noise");
  if (value.empty() || says_nothing) return "";
  if (setting == "samples") return "N = " + value;
  if (setting == "alpha") return "alpha = " + value;
  return value;
}

std::string noise_of(const RunFolder& run) {
  const std::string noise = run.setting("noise");
  return noise.empty() ? folder_name(run) : noise;
}

}  // namespace

void name_runs(std::vector<NamedRun>& runs) {
  std::vector<std::string> telling;
  for (const char* setting : {"architecture", "noise", "samples", "alpha", "data"}) {
    std::set<std::string> values;
    for (const NamedRun& named : runs)
      if (std::string value = described(named.run, setting); !value.empty()) values.insert(value);
    if (values.size() > 1) telling.push_back(setting);
  }
  std::vector<std::string> labels;
  for (const NamedRun& named : runs) {
    std::string label;
    for (const std::string& setting : telling)
      if (const std::string part = described(named.run, setting); !part.empty())
        label += (label.empty() ? "" : ", ") + part;
    labels.push_back(label.empty() ? noise_of(named.run) : label);
  }
  std::set<std::string> names;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].name.empty()) continue;
    const bool alike = std::count(labels.begin(), labels.end(), labels[i]) > 1;
    runs[i].name = alike ? folder_name(runs[i].run) : labels[i];
  }
  for (const NamedRun& named : runs)
    if (!names.insert(named.name).second)
      throw usage_error(
          fmt::format("two runs are named '{}', expected names of their own", named.name));
}

}  // namespace textcrs::plot
