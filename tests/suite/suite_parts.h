// Small suites, and what is read off their plans.
#pragma once

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "text/temporary_folder.h"
#include "textcrs/suite/plan.h"

namespace textcrs {

inline std::filesystem::path write_text(const std::filesystem::path& file,
                                        const std::string& content) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

// read_suite() of a file with this content.
inline Suite suite_of(const std::string& content, const std::string& name = "tiny.toml") {
  const TemporaryFolder folder;
  return read_suite(write_text(folder.path() / name, content));
}

// One data set, one model, one method: what a suite has at least.
constexpr const char* kLeast = R"(
[[data]]
name = "d"
texts = ["texts/d.csv"]
[[model]]
name = "m"
[[method]]
name = "a"
levels = { low = "delete:p=0.3" }
)";

inline std::vector<std::string> names_of(const std::vector<PlannedStep>& plan) {
  std::vector<std::string> names;
  for (const PlannedStep& planned : plan) names.push_back(planned.step.name);
  return names;
}

inline PlannedStep& step_of(std::vector<PlannedStep>& plan, const std::string& name) {
  const auto found = std::find_if(plan.begin(), plan.end(), [&](const PlannedStep& planned) {
    return planned.step.name == name;
  });
  if (found == plan.end()) throw std::runtime_error("no step " + name);
  return *found;
}

// The plan of a suite, settled in `out`, and its commands as a shell takes them.
inline std::vector<PlannedStep> settled(const Suite& suite, const std::filesystem::path& out,
                                        const PlanOptions& options = {},
                                        SettleOptions settle = {}) {
  std::vector<PlannedStep> plan = plan_suite(suite, options);
  settle.out = out;
  settle_plan(suite, plan, settle);
  return plan;
}

inline std::string command_of(std::vector<PlannedStep> plan, const std::string& name) {
  return in_shell_words(step_of(plan, name).step.command);
}

}  // namespace textcrs
