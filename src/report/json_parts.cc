#include "report/json_parts.h"

#include <cmath>

namespace textcrs {

using nlohmann::ordered_json;

ordered_json radius_to_json(double radius) {
  if (std::isinf(radius)) return "unlimited";
  if (radius == std::floor(radius) && radius < 1e15) return static_cast<int64_t>(radius);
  return radius;
}

double radius_from_json(const ordered_json& json) {
  return json == "unlimited" ? kUnlimited : json.get<double>();
}

void add_proved(CertificateMode mode, ordered_json& json) {
  if (mode == CertificateMode::kPaper) json["proved"] = false;
}

ordered_json set_to_json(const CertifiedSet& set, CertificateMode mode) {
  ordered_json json = {{"certified", set.certified}};
  add_proved(mode, json);
  for (const Guarantee& guarantee : set.guarantees)
    json[std::string(to_string(guarantee.operation))] =
        radius_to_json(set.certified ? guarantee.radius : 0);
  if (!set.frontier.empty()) json["frontier"] = set.frontier;
  if (set.window > 0) json["window"] = set.window;
  if (!set.candidates.empty()) json["candidates"] = set.candidates;
  return json;
}

CertifiedSet set_from_json(const ordered_json& json) {
  CertifiedSet set;
  for (const auto& [key, value] : json.items()) {
    if (key == "certified")
      value.get_to(set.certified);
    else if (key == "proved")
      continue;  // which of the two sets it is
    else if (key == "frontier")
      value.get_to(set.frontier);
    else if (key == "window")
      value.get_to(set.window);
    else if (key == "candidates")
      value.get_to(set.candidates);
    else
      set.guarantees.push_back({parse_operation(key), "", radius_from_json(value)});
  }
  return set;
}

void add_edits(const CertifiedSet& set, ordered_json& json) {
  if (!set.certified || set.find(Operation::kEdit) == nullptr) return;
  json["edit_distance"] = radius_to_json(set.radius(Operation::kEdit));
  json["frontier"] = set.frontier;
}

ordered_json single_edits_to_json(const SingleEdits& edits) {
  return {{"insertions", edits.insertions},
          {"insertions_covered", edits.insertions_covered},
          {"substitutions", edits.substitutions},
          {"substitutions_covered", edits.substitutions_covered},
          {"deletions", edits.deletions},
          {"deletions_covered", edits.deletions_covered}};
}

SingleEdits single_edits_from_json(const ordered_json& json) {
  SingleEdits edits;
  json.at("insertions").get_to(edits.insertions);
  json.at("insertions_covered").get_to(edits.insertions_covered);
  json.at("substitutions").get_to(edits.substitutions);
  json.at("substitutions_covered").get_to(edits.substitutions_covered);
  json.at("deletions").get_to(edits.deletions);
  json.at("deletions_covered").get_to(edits.deletions_covered);
  return edits;
}

std::string reason_of(const ordered_json::exception& error) {
  const std::string what = error.what();  // [json.exception.type_error.302] type must be ...
  const size_t end = what.find("] ");
  return end == std::string::npos ? what : what.substr(end + 2);
}

}  // namespace textcrs
