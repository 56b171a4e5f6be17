#include "textcrs/suite/manifest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr StepState kStates[] = {StepState::kPlanned, StepState::kStarted, StepState::kDone,
                                 StepState::kFailed};
constexpr size_t kMostBytes = size_t{64} << 20;

ordered_json to_json(const SuiteStep& step) {
  ordered_json json = {{"name", step.name},
                       {"kind", step.kind},
                       {"folder", step.folder.string()},
                       {"tags", step.tags},
                       {"command", step.command},
                       {"needs", step.needs},
                       {"identity", step.identity},
                       {"state", to_string(step.state)}};
  if (step.seconds > 0) json["seconds"] = step.seconds;
  if (!step.machine.empty()) json["machine"] = step.machine;
  if (!step.version.empty()) json["version"] = step.version;
  if (!step.problem.empty()) json["problem"] = step.problem;
  if (!step.replaces.empty()) json["replaces"] = step.replaces;
  return json;
}

ordered_json to_json(const std::vector<SuiteStep>& steps) {
  ordered_json json = ordered_json::array();
  for (const SuiteStep& step : steps) json.push_back(to_json(step));
  return json;
}

StepState parse_state(const std::string& name) {
  for (const StepState state : kStates)
    if (to_string(state) == name) return state;
  throw bad_input(fmt::format("found the state '{}'", name));
}

SuiteStep parse_step(const ordered_json& json) {
  SuiteStep step;
  step.name = json.at("name").get<std::string>();
  step.kind = json.at("kind").get<std::string>();
  step.folder = json.at("folder").get<std::string>();
  step.tags = json.at("tags").get<std::map<std::string, std::string>>();
  step.command = json.at("command").get<std::vector<std::string>>();
  step.needs = json.at("needs").get<std::vector<std::string>>();
  step.identity = json.at("identity").get<std::string>();
  step.state = parse_state(json.at("state").get<std::string>());
  step.seconds = json.value("seconds", 0.0);
  step.machine = json.value("machine", "");
  step.version = json.value("version", "");
  step.problem = json.value("problem", "");
  step.replaces = json.value("replaces", "");
  return step;
}

std::vector<SuiteStep> parse_steps(const ordered_json& json) {
  if (!json.is_array()) throw bad_input("found steps that are no list");
  std::vector<SuiteStep> steps;
  for (const ordered_json& step : json) steps.push_back(parse_step(step));
  return steps;
}

}  // namespace

std::string_view to_string(StepState state) {
  switch (state) {
    case StepState::kPlanned:
      return "planned";
    case StepState::kStarted:
      return "started";
    case StepState::kDone:
      return "done";
    case StepState::kFailed:
      break;
  }
  return "failed";
}

std::string SuiteStep::tag(const std::string& key) const {
  const auto found = tags.find(key);
  return found == tags.end() ? "" : found->second;
}

const SuiteStep* SuiteManifest::find(std::string_view name) const {
  for (const SuiteStep& step : steps)
    if (step.name == name) return &step;
  return nullptr;
}

SuiteManifest read_manifest(const fs::path& folder) {
  const fs::path file = folder / kManifestFile;
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored))
    throw bad_input(fmt::format("{}: found no {}, expected the folder of a suite", folder.string(),
                                kManifestFile));
  if (fs::file_size(file) > kMostBytes)
    throw bad_input(fmt::format("{}: found more than {} bytes", file.string(), kMostBytes));
  try {
    const ordered_json json = ordered_json::parse(read_file(file));
    SuiteManifest manifest;
    manifest.suite = json.at("suite").get<std::string>();
    manifest.title = json.at("title").get<std::string>();
    manifest.version = json.at("version").get<std::string>();
    manifest.machine = json.at("machine").get<std::string>();
    manifest.steps = parse_steps(json.at("steps"));
    manifest.past = parse_steps(json.value("past", ordered_json::array()));
    return manifest;
  } catch (const nlohmann::json::exception& error) {
    throw bad_input(
        fmt::format("{}: {}; expected what a suite wrote", file.string(), error.what()));
  } catch (const Error& error) {
    throw bad_input(
        fmt::format("{}: {}; expected what a suite wrote", file.string(), error.what()));
  }
}

void write_manifest(const fs::path& folder, const SuiteManifest& manifest) {
  const ordered_json json = {{"suite", manifest.suite},          {"title", manifest.title},
                             {"version", manifest.version},      {"machine", manifest.machine},
                             {"steps", to_json(manifest.steps)}, {"past", to_json(manifest.past)}};
  write_file_atomically(folder / kManifestFile,
                        json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
}

std::string in_shell_words(const std::vector<std::string>& command) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,+@%";
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace textcrs
