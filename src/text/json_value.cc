#include "text/json_value.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {

using nlohmann::ordered_json;

JsonValue JsonValue::at(const std::string& name) const {
  if (std::optional<JsonValue> value = find(name)) return *std::move(value);
  throw bad_input(fmt::format("{}'{}' is missing", place(), name));
}

std::optional<JsonValue> JsonValue::find(const std::string& name) const {
  if (!json_->is_object()) refuse("an object");
  const auto found = json_->find(name);
  if (found == json_->end()) return std::nullopt;
  return below(*found, path_.empty() ? name : "." + name);
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  if (!json_->is_object()) refuse("an object");
  std::vector<std::pair<std::string, JsonValue>> members;
  for (const auto& [name, value] : json_->items())
    members.emplace_back(name, below(value, path_.empty() ? name : "." + name));
  return members;
}

JsonList JsonValue::list() const {
  if (!json_->is_array()) refuse("a list");
  return JsonList(*this);
}

JsonValue JsonList::operator[](size_t i) const {
  return list_.below(list_.json()[i], fmt::format("[{}]", i));
}

JsonList::operator std::vector<JsonValue>() const {
  std::vector<JsonValue> values;
  values.reserve(size());
  for (const JsonValue& value : *this) values.push_back(value);
  return values;
}

std::vector<JsonValue> JsonValue::list(size_t size) const {
  if (!json_->is_array() || json_->size() != size) refuse(fmt::format("a list of {}", size));
  return list();
}

double JsonValue::number() const {
  if (!json_->is_number()) refuse("a number");
  return json_->get<double>();
}

bool JsonValue::flag() const {
  if (!json_->is_boolean()) refuse("true or false");
  return json_->get<bool>();
}

std::string JsonValue::text() const {
  if (!json_->is_string()) refuse("a text");
  return json_->get<std::string>();
}

std::vector<std::string> JsonValue::texts() const {
  std::vector<std::string> all;
  all.reserve(json_->size());
  for (const JsonValue& value : list()) all.push_back(value.text());
  return all;
}

bool JsonValue::flag_or(const std::string& name, bool otherwise) const {
  const std::optional<JsonValue> value = find(name);
  return value ? value->flag() : otherwise;
}

std::string JsonValue::text_or(const std::string& name, const std::string& otherwise) const {
  const std::optional<JsonValue> value = find(name);
  return value ? value->text() : otherwise;
}

void JsonValue::refuse(const std::string& expected) const {
  throw bad_input(fmt::format("{}found {}, expected {}", place(), shown(*json_), expected));
}

void JsonValue::check_whole(int64_t low, uint64_t high) const {
  const bool is_unsigned = json_->is_number_unsigned();
  const bool fits = is_unsigned
                        ? json_->get<uint64_t>() <= high &&
                              (low <= 0 || json_->get<uint64_t>() >= static_cast<uint64_t>(low))
                        : json_->is_number_integer() && json_->get<int64_t>() >= low;
  if (!fits) refuse(fmt::format("a whole number from {} to {}", low, high));
}

JsonValue JsonValue::below(const ordered_json& json, const std::string& step) const {
  JsonValue value(json, name_);
  value.path_ = path_ + step;
  return value;
}

std::string JsonValue::place() const {
  if (path_.empty()) return name_.empty() ? "" : name_ + ": ";
  return (name_.empty() ? "" : name_ + ": ") + printable_name(path_) + ": ";
}

}  // namespace textcrs
