#include "report/json_parts.h"

#include <cmath>

namespace textcrs {

using nlohmann::ordered_json;

ordered_json radius_to_json(double radius) {
  if (std::isinf(radius)) return "unlimited";
  if (radius == std::floor(radius) && radius < 1e15) return static_cast<int64_t>(radius);
  return radius;
}

double radius_from_json(const JsonValue& json) {
  if (json.json() == "unlimited") return kUnlimited;
  if (!json.json().is_number() || json.number() < 0)
    json.refuse("a number from 0 or \"unlimited\"");
  return json.number();
}

void add_proved(CertificateMode mode, ordered_json& json) {
  if (mode == CertificateMode::kPaper) json["proved"] = false;
}

namespace {

// What the radii count if it is neither units of the text nor places; else empty.
std::string special_unit(const CertifiedSet& set) {
  for (const Guarantee& guarantee : set.guarantees)
    if (guarantee.unit == kUnitEmbedding || guarantee.unit == kUnitRanks) return guarantee.unit;
  return "";
}

}  // namespace

ordered_json set_to_json(const CertifiedSet& set, CertificateMode mode) {
  ordered_json json = {{"certified", set.certified}};
  add_proved(mode, json);
  for (const Guarantee& guarantee : set.guarantees)
    json[std::string(to_string(guarantee.operation))] =
        radius_to_json(set.certified ? guarantee.radius : 0);
  if (const std::string unit = special_unit(set); !unit.empty()) json["unit"] = unit;
  if (!set.frontier.empty()) json["frontier"] = set.frontier;
  if (set.window > 0) json["window"] = set.window;
  add_candidates(set, json);
  add_synonyms(set, json);
  add_free_edits(set, json);
  return json;
}

namespace {

void synonyms_from_json(const JsonValue& json, CertifiedSet& set) {
  set.synonyms = json.at("table").text();
  if (json.at("certified").flag()) set.edits_beside_synonyms = radius_from_json(json.at("edits"));
}

void stop_words_from_json(const JsonValue& json, CertifiedSet& set) {
  set.stop_list = json.at("list").text();
  set.stop_words = json.at("words").whole<int>();
}

std::vector<std::pair<int, int>> frontier_from_json(const JsonValue& json) {
  std::vector<std::pair<int, int>> frontier;
  for (const JsonValue& point : json.list()) {
    const std::vector<JsonValue> pair = point.list(2);
    frontier.emplace_back(pair[0].whole<int>(), pair[1].whole<int>());
  }
  return frontier;
}

}  // namespace

CertifiedSet set_from_json(const JsonValue& json) {
  CertifiedSet set;
  std::string unit;
  for (const auto& [key, value] : json.members()) {
    if (key == "certified")
      set.certified = value.flag();
    else if (key == "proved")
      continue;  // which of the two sets it is
    else if (key == "unit")
      unit = value.text();
    else if (key == "frontier")
      set.frontier = frontier_from_json(value);
    else if (key == "window")
      set.window = value.whole<int>();
    else if (key == "candidates")
      set.candidates = value.text();
    else if (key == "replaceable")
      set.replaceable = value.whole<int>();
    else if (key == "synonyms")
      synonyms_from_json(value, set);
    else if (key == "canonical")
      set.canonical = value.text();
    else if (key == "stop_words")
      stop_words_from_json(value, set);
    else
      set.guarantees.push_back({parse_operation(key), "", radius_from_json(value)});
  }
  for (Guarantee& guarantee : set.guarantees)
    if (guarantee.operation != Operation::kReordering) guarantee.unit = unit;
  return set;
}

void add_edits(const CertifiedSet& set, ordered_json& json) {
  if (!set.certified || set.find(Operation::kEdit) == nullptr) return;
  json["edit_distance"] = radius_to_json(set.radius(Operation::kEdit));
  json["frontier"] = set.frontier;
}

void add_candidates(const CertifiedSet& set, ordered_json& json) {
  if (set.candidates.empty()) return;
  json["candidates"] = set.candidates;
  json["replaceable"] = set.replaceable;
}

void add_synonyms(const CertifiedSet& set, ordered_json& json) {
  if (set.synonyms.empty()) return;
  const auto& edits = set.edits_beside_synonyms;
  json["synonyms"] = {{"table", set.synonyms},
                      {"certified", edits.has_value()},
                      {"edits", edits ? radius_to_json(*edits) : ordered_json(0)}};
}

void add_free_edits(const CertifiedSet& set, ordered_json& json) {
  if (!set.canonical.empty()) json["canonical"] = set.canonical;
  if (!set.stop_list.empty())
    json["stop_words"] = {{"list", set.stop_list}, {"words", set.stop_words}};
}

ordered_json single_edits_to_json(const SingleEdits& edits) {
  return {{"insertions", edits.insertions},
          {"insertions_covered", edits.insertions_covered},
          {"substitutions", edits.substitutions},
          {"substitutions_covered", edits.substitutions_covered},
          {"deletions", edits.deletions},
          {"deletions_covered", edits.deletions_covered}};
}

SingleEdits single_edits_from_json(const JsonValue& json) {
  const auto number = [&](const char* name) { return json.at(name).whole<size_t>(); };
  return {number("insertions"),    number("insertions_covered"),
          number("substitutions"), number("substitutions_covered"),
          number("deletions"),     number("deletions_covered")};
}

namespace {

ordered_json share_to_json(const std::optional<double>& share) {
  return share ? ordered_json(*share) : ordered_json(nullptr);
}

ordered_json figures_to_json(const ClassReport& report, size_t of_class) {
  const ClassFigures f = report.figures(of_class);
  ordered_json json = {{"class", report.classes()[of_class]},
                       {"texts", f.texts},
                       {"answered", f.answered},
                       {"right", f.right}};
  if (report.abstentions() == ClassReport::Abstentions::kPossible) json["abstained"] = f.abstained;
  json["precision"] = share_to_json(f.precision);
  json["recall"] = share_to_json(f.recall);
  json["f1"] = share_to_json(f.f1);
  return json;
}

}  // namespace

void add_classes(const ClassReport& report, ordered_json& json) {
  const std::vector<std::string>& classes = report.classes();
  ordered_json list = ordered_json::array(), confusion = ordered_json::object();
  for (size_t label = 0; label < classes.size(); ++label) {
    list.push_back(figures_to_json(report, label));
    ordered_json row = ordered_json::object();
    for (const auto& [answer, texts] : report.answers_to(label)) row[classes[answer]] = texts;
    confusion[classes[label]] = std::move(row);
  }
  json["classes"] = std::move(list);
  json["confusion"] = std::move(confusion);
}

ordered_json witness_to_json(const Witness& witness) {
  ordered_json json = {{"prediction", witness.answer}, {"lost", ordered_json::array()}};
  for (const auto& [place, word] : witness.lost) json["lost"].push_back({place, word});
  json["gained"] = witness.gained;
  return json;
}

Witness witness_from_json(const JsonValue& json) {
  Witness witness;
  witness.answer = json.at("prediction").text();
  for (const JsonValue& one : json.at("lost").list()) {
    const std::vector<JsonValue> pair = one.list(2);
    witness.lost.emplace_back(pair[0].whole<size_t>(), pair[1].text());
  }
  witness.gained = json.at("gained").texts();
  return witness;
}

}  // namespace textcrs
