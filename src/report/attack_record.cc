#include "textcrs/report/attack_record.h"

#include <fmt/format.h>

#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

ordered_json difference_to_json(const WordDifference& difference) {
  ordered_json json = {{"place", difference.place}};
  if (difference.before) json["before"] = *difference.before;
  if (difference.after) json["after"] = *difference.after;
  return json;
}

std::optional<std::string> text_from_json(const JsonValue& json, const char* name) {
  const std::optional<JsonValue> value = json.find(name);
  if (!value) return std::nullopt;
  return value->text();
}

WordDifference difference_from_json(const JsonValue& json) {
  WordDifference difference = {json.at("place").whole<size_t>(), text_from_json(json, "before"),
                               text_from_json(json, "after")};
  if (!difference.before && !difference.after) json.refuse("'before', 'after' or both in it");
  return difference;
}

ordered_json model_to_json(const DefenceRecord& model) {
  return {{"name", model.name},
          {"clean", model.clean},
          {"clean_abstained", model.clean_abstained},
          {"certified", model.certified},
          {"edited", model.edited},
          {"edited_abstained", model.edited_abstained},
          {"covered", model.covered},
          {"why", model.why}};
}

DefenceRecord model_from_json(const JsonValue& json) {
  return {.name = json.at("name").text(),
          .clean = json.at("clean").text(),
          .edited = json.at("edited").text(),
          .clean_abstained = json.at("clean_abstained").flag(),
          .edited_abstained = json.at("edited_abstained").flag(),
          .certified = json.at("certified").flag(),
          .covered = json.at("covered").flag(),
          .why = json.at("why").text()};
}

AttackStatus status_from_json(const JsonValue& json) {
  for (const AttackStatus status : {AttackStatus::kSucceeded, AttackStatus::kFailed,
                                    AttackStatus::kSpent, AttackStatus::kSkipped})
    if (to_string(status) == json.text()) return status;
  json.refuse("succeeded, failed, spent or skipped");
}

AttackRecord record_from_json(const JsonValue& json) {
  AttackRecord record;
  record.id = json.at("id").whole<uint32_t>();
  record.key = text_from_json(json, "key");
  record.label = json.at("label").text();
  record.status = status_from_json(json.at("status"));
  record.before = json.at("before").text();
  record.after = json.at("after").text();
  record.share_before = json.at("share_before").number();
  record.share_after = json.at("share_after").number();
  record.queries = json.at("queries").whole<uint64_t>();
  record.words = json.at("words").whole<size_t>();
  record.words_after = json.at("words_after").whole<size_t>();
  record.original = json.at("original").text();
  if (record.attempted()) {
    for (const JsonValue& each : json.at("differences").list())
      record.differences.push_back(difference_from_json(each));
    if (const auto similarity = json.find("similarity")) record.similarity = similarity->number();
    record.adversarial = json.at("adversarial").text();
    for (const JsonValue& each : json.at("models").list())
      record.models.push_back(model_from_json(each));
  }
  record.seconds = json.at("seconds").number();
  if (const auto seconds = json.find("wall_seconds")) record.wall_seconds = seconds->number();
  record.version = json.at("version").text();
  return record;
}

}  // namespace

std::string to_json(const AttackRecord& record) {
  ordered_json json = {{"id", record.id}};
  if (record.key) json["key"] = *record.key;
  json["label"] = record.label;
  json["status"] = to_string(record.status);
  json["before"] = record.before;
  json["after"] = record.after;
  json["share_before"] = record.share_before;
  json["share_after"] = record.share_after;
  json["queries"] = record.queries;
  json["words"] = record.words;
  json["words_after"] = record.words_after;
  if (record.attempted()) {
    ordered_json& list = json["differences"] = ordered_json::array();
    for (const WordDifference& each : record.differences) list.push_back(difference_to_json(each));
    if (record.similarity) json["similarity"] = *record.similarity;
  }
  json["original"] = record.original;
  if (record.attempted()) {
    json["adversarial"] = record.adversarial;
    ordered_json& list = json["models"] = ordered_json::array();
    for (const DefenceRecord& each : record.models) list.push_back(model_to_json(each));
  }
  json["seconds"] = record.seconds;
  if (record.wall_seconds) json["wall_seconds"] = *record.wall_seconds;
  json["version"] = record.version;
  return json.dump();
}

AttackRecord parse_attack_record(std::string_view line) {
  try {
    const auto json = parse_json<ordered_json>(line, "");
    return record_from_json(JsonValue(json, ""));
  } catch (const Error& error) {
    throw bad_input(fmt::format("not the record of an attack ({})", error.what()));
  }
}

}  // namespace textcrs
