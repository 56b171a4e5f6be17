#include "report/run_file.h"

#include <fmt/format.h>

#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/files.h"
#include "textcrs/report/results_file.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

constexpr const char* kVersion = "version";

struct ToJson {
  ordered_json operator()(std::monostate) const { return nullptr; }
  ordered_json operator()(uint64_t value) const { return value; }
  ordered_json operator()(double value) const { return value; }
  ordered_json operator()(const std::string& value) const { return value; }
};

ordered_json to_json(const std::vector<Setting>& settings, const std::string& version) {
  ordered_json json = {{kVersion, version}};
  for (const Setting& setting : settings) json[setting.name] = std::visit(ToJson(), setting.value);
  return json;
}

std::string value_of(const ordered_json& json, const std::string& key) {
  return json.contains(key) ? json[key].dump() : "missing";
}

std::string version_of(const ordered_json& json) {
  if (!json.contains(kVersion)) return "";
  return json[kVersion].is_string() ? json[kVersion].get<std::string>() : json[kVersion].dump();
}

ordered_json parse(const std::filesystem::path& path) {
  auto json = read_json_file<ordered_json>(path);
  if (!json.is_object()) throw bad_input(path.string() + ": expected a JSON object");
  return json;
}

decltype(Setting::value) value_from(const ordered_json& json) {
  if (json.is_null()) return std::monostate();
  if (json.is_number_unsigned()) return json.get<uint64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_string()) return json.get<std::string>();
  throw bad_input(fmt::format("found {}, expected a number, a text or null", shown(json)));
}

}  // namespace

void write_run_file(const std::filesystem::path& path, const std::vector<Setting>& settings,
                    const std::string& version) {
  write_file_atomically(path, to_json(settings, version).dump(2) + "\n");
}

void check_run_file(const std::filesystem::path& path, const std::vector<Setting>& settings,
                    const std::string& version) {
  const ordered_json before = parse(path);
  if (const std::string made_by = version_of(before); made_by != version)
    throw OtherVersion(path, made_by, version);
  const ordered_json now = to_json(settings, version);
  for (const auto& json : {now, before})  // also what is not there any more
    for (const auto& [key, value] : json.items())
      if (!now.contains(key) || !before.contains(key) || now[key] != before[key])
        throw OtherRun(path, key, value_of(before, key), value_of(now, key));
}

RunSettings read_run_file(const std::filesystem::path& path) {
  const ordered_json json = parse(path);
  RunSettings run{version_of(json), {}};
  for (const auto& [key, value] : json.items()) {
    if (key == kVersion) continue;
    try {
      run.settings.push_back({key, value_from(value)});
    } catch (const Error& error) {
      throw bad_input(fmt::format("{}: {}: {}", path.string(), key, error.what()));
    }
  }
  return run;
}

}  // namespace textcrs
