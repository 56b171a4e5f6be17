#include "textcrs/suite/manifest.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "text/json.h"
#include "text/json_value.h"
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

StepState parse_state(const JsonValue& json) {
  const std::string name = json.text();
  for (const StepState state : kStates)
    if (to_string(state) == name) return state;
  json.refuse("planned, started, done or failed");
}

std::map<std::string, std::string> parse_tags(const JsonValue& json) {
  std::map<std::string, std::string> tags;
  for (const auto& [key, value] : json.members()) tags[key] = value.text();
  return tags;
}

double seconds_of(const JsonValue& json) {
  const auto seconds = json.find("seconds");
  if (!seconds) return 0;
  if (!(seconds->number() >= 0)) seconds->refuse("seconds");
  return seconds->number();
}

SuiteStep parse_step(const JsonValue& json) {
  SuiteStep step;
  step.name = json.at("name").text();
  step.kind = json.at("kind").text();
  step.folder = json.at("folder").text();
  step.tags = parse_tags(json.at("tags"));
  step.command = json.at("command").texts();
  step.needs = json.at("needs").texts();
  step.identity = json.at("identity").text();
  step.state = parse_state(json.at("state"));
  step.seconds = seconds_of(json);
  step.machine = json.text_or("machine", "");
  step.version = json.text_or("version", "");
  step.problem = json.text_or("problem", "");
  step.replaces = json.text_or("replaces", "");
  return step;
}

std::vector<SuiteStep> parse_steps(const JsonValue& json) {
  std::vector<SuiteStep> steps;
  for (const JsonValue& step : json.list()) steps.push_back(parse_step(step));
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
  const auto json = read_json_file<ordered_json>(file);
  const JsonValue root(json, file.string());
  SuiteManifest manifest;
  manifest.suite = root.at("suite").text();
  manifest.title = root.at("title").text();
  manifest.version = root.at("version").text();
  manifest.machine = root.at("machine").text();
  manifest.steps = parse_steps(root.at("steps"));
  if (const auto past = root.find("past")) manifest.past = parse_steps(*past);
  return manifest;
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
