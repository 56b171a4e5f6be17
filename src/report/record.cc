#include "textcrs/report/record.h"

#include <fmt/format.h>

#include "report/json_parts.h"
#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"
#include "textcrs/certified/cascade_classifier.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

bool says_anything(const CertifiedSet& set) { return set.certified || !set.guarantees.empty(); }

uint32_t id_from_json(const JsonValue& json) {
  if (!json.json().is_object() || !json.find("id"))
    throw bad_input("expected a JSON object with an id");
  return json.at("id").whole<uint32_t>();
}

std::optional<std::string> text_from_json(const JsonValue& json, const char* name) {
  const std::optional<JsonValue> value = json.find(name);
  if (!value) return std::nullopt;
  return value->text();
}

StopReason parse_stop_reason(const std::string& name) {
  for (const StopReason reason : {StopReason::kAllDrawn, StopReason::kReached, StopReason::kSettled,
                                  StopReason::kUnreachable, StopReason::kUnlikely})
    if (to_string(reason) == name) return reason;
  throw bad_input(fmt::format("found the stop reason '{}', expected a known one", name));
}

Certification certification_from_json(const JsonValue& json) {
  Certification c;
  c.prediction = -1;
  c.abstained = json.at("abstained").flag();
  const JsonList counts = json.at("counts").list();
  c.counts.reserve(counts.size());
  for (const JsonValue& count : counts) c.counts.push_back(count.whole<int64_t>());
  c.bounds.pa = json.at("pa").number();
  c.bounds.pb = json.at("pb").number();
  if (const auto sound = json.find("sound")) c.sound = set_from_json(*sound);
  if (const auto paper = json.find("paper")) c.paper = set_from_json(*paper);
  c.exact = json.flag_or("exact", false);
  c.samples = json.at("samples").whole<uint32_t>();
  if (const auto stop = json.find("stop")) c.stop = parse_stop_reason(stop->text());
  if (const auto edits = json.find("single_edits")) c.single_edits = single_edits_from_json(*edits);
  if (const auto witness = json.find("witness")) c.witness = witness_from_json(*witness);
  c.by_fallback = text_from_json(json, "not_certified").has_value();
  return c;
}

Record record_from_json(const JsonValue& json) {
  Record record;
  record.id = id_from_json(json);
  record.key = text_from_json(json, "key");
  record.label = text_from_json(json, "label");
  record.prediction = json.at("prediction").text();
  if (json.find("sentences")) record.unit = "sentence";
  record.words = json.at(record.unit + "s").whole<size_t>();
  record.certification = certification_from_json(json);
  record.stops = json.find("stop").has_value();
  if (const auto warnings = json.find("warnings")) record.warnings = warnings->texts();
  record.seconds = json.at("seconds").number();
  if (const auto seconds = json.find("wall_seconds")) record.wall_seconds = seconds->number();
  record.version = json.text_or("version", "");
  record.text = text_from_json(json, "text");
  return record;
}

}  // namespace

std::string to_json(const Record& record) {
  const Certification& c = record.certification;
  ordered_json json = {{"id", record.id}};
  if (record.key) json["key"] = *record.key;
  if (record.label) json["label"] = *record.label;
  json["prediction"] = record.prediction;
  json["abstained"] = c.abstained;
  if (record.label) json["correct"] = record.correct();
  json[record.unit + "s"] = record.words;
  json["counts"] = c.counts;
  json["pa"] = c.bounds.pa;
  json["pb"] = c.bounds.pb;
  if (says_anything(c.sound)) json["sound"] = set_to_json(c.sound, CertificateMode::kSound);
  if (says_anything(c.paper)) json["paper"] = set_to_json(c.paper, CertificateMode::kPaper);
  if (c.exact) json["exact"] = true;
  json["samples"] = c.samples;
  if (record.stops) json["stop"] = to_string(c.stop);
  if (c.single_edits) json["single_edits"] = single_edits_to_json(*c.single_edits);
  if (c.witness) json["witness"] = witness_to_json(*c.witness);
  if (c.by_fallback) json["not_certified"] = kAnsweredByFallback;
  if (!record.warnings.empty()) json["warnings"] = record.warnings;
  json["seconds"] = record.seconds;
  if (record.wall_seconds) json["wall_seconds"] = *record.wall_seconds;
  if (!record.version.empty()) json["version"] = record.version;
  if (record.text) json["text"] = *record.text;
  return json.dump();
}

Record parse_record(std::string_view line) {
  try {
    const auto json = parse_json<ordered_json>(line, "");
    return record_from_json(JsonValue(json, ""));
  } catch (const Error& error) {
    throw bad_input(fmt::format("not the record of a text ({})", error.what()));
  }
}

}  // namespace textcrs
