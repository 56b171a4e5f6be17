#include "textcrs/report/record.h"

#include <fmt/format.h>

#include <limits>

#include "report/json_parts.h"
#include "textcrs/base/error.h"
#include "textcrs/certified/cascade_classifier.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

bool says_anything(const CertifiedSet& set) { return set.certified || !set.guarantees.empty(); }

uint32_t id_from_json(const ordered_json& json) {
  const bool known = json.is_object() && json.contains("id") && json["id"].is_number_unsigned();
  if (!known || json["id"].get<uint64_t>() > std::numeric_limits<uint32_t>::max())
    throw bad_input("expected a JSON object with an id");
  return json["id"].get<uint32_t>();
}

std::optional<std::string> text_from_json(const ordered_json& json, const char* name) {
  if (!json.contains(name)) return std::nullopt;
  return json[name].get<std::string>();
}

Error not_a_record(std::string_view why) {
  return bad_input(fmt::format("not the record of a text ({})", why));
}

StopReason parse_stop_reason(const std::string& name) {
  for (const StopReason reason : {StopReason::kAllDrawn, StopReason::kReached, StopReason::kSettled,
                                  StopReason::kUnreachable, StopReason::kUnlikely})
    if (to_string(reason) == name) return reason;
  throw bad_input(fmt::format("found the stop reason '{}', expected a known one", name));
}

Certification certification_from_json(const ordered_json& json) {
  Certification c;
  c.prediction = -1;
  json.at("abstained").get_to(c.abstained);
  json.at("counts").get_to(c.counts);
  json.at("pa").get_to(c.bounds.pa);
  json.at("pb").get_to(c.bounds.pb);
  if (json.contains("sound")) c.sound = set_from_json(json["sound"]);
  if (json.contains("paper")) c.paper = set_from_json(json["paper"]);
  c.exact = json.value("exact", false);
  json.at("samples").get_to(c.samples);
  if (json.contains("stop")) c.stop = parse_stop_reason(json["stop"].get<std::string>());
  if (json.contains("single_edits")) c.single_edits = single_edits_from_json(json["single_edits"]);
  if (json.contains("witness")) c.witness = witness_from_json(json["witness"]);
  c.by_fallback = json.contains("not_certified");
  return c;
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
  const auto json = ordered_json::parse(line, nullptr, /*allow_exceptions=*/false);
  Record record;
  record.id = id_from_json(json);
  try {
    record.key = text_from_json(json, "key");
    record.label = text_from_json(json, "label");
    json.at("prediction").get_to(record.prediction);
    if (json.contains("sentences")) record.unit = "sentence";
    json.at(record.unit + "s").get_to(record.words);
    record.certification = certification_from_json(json);
    record.stops = json.contains("stop");
    if (json.contains("warnings")) json["warnings"].get_to(record.warnings);
    json.at("seconds").get_to(record.seconds);
    if (json.contains("wall_seconds")) record.wall_seconds = json["wall_seconds"].get<double>();
    record.version = json.value("version", "");
    record.text = text_from_json(json, "text");
  } catch (const ordered_json::exception& error) {
    throw not_a_record(reason_of(error));
  } catch (const Error& error) {
    throw not_a_record(error.what());
  }
  return record;
}

}  // namespace textcrs
