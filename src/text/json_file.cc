#include "textcrs/text/json_file.h"

#include <algorithm>

#include "text/json.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Null where there is no object.
json object_of(const fs::path& file) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return {};
  try {
    json value = read_json_file<json>(file);
    return value.is_object() ? value : json();
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

bool has_members(const fs::path& file, std::initializer_list<const char*> names) {
  const json object = object_of(file);
  return object.is_object() && std::all_of(names.begin(), names.end(),
                                           [&](const char* name) { return object.contains(name); });
}

std::optional<std::string> text_member(const fs::path& file, const std::string& name) {
  const json object = object_of(file);
  if (!object.contains(name) || !object[name].is_string()) return std::nullopt;
  return object[name].get<std::string>();
}

std::optional<double> number_member(const fs::path& file, const std::string& name) {
  const json object = object_of(file);
  if (!object.contains(name) || !object[name].is_number()) return std::nullopt;
  return object[name].get<double>();
}

}  // namespace textcrs
