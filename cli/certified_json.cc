#include "certified_json.h"

#include <cmath>

namespace textcrs::cli {

using nlohmann::ordered_json;

ordered_json radius_json(double radius) {
  if (std::isinf(radius)) return "unlimited";
  if (radius == std::floor(radius) && radius < 1e15) return static_cast<int64_t>(radius);
  return radius;
}

double radius_from_json(const ordered_json& value) {
  return value.is_string() ? kUnlimited : value.get<double>();
}

ordered_json set_json(const CertifiedSet& set) {
  ordered_json json = {{"certified", set.certified}};
  for (const Guarantee& guarantee : set.guarantees)
    json[guarantee.operation] = radius_json(set.certified ? guarantee.radius : 0);
  if (!set.frontier.empty()) json["frontier"] = set.frontier;
  if (set.window > 0) json["window"] = set.window;
  if (!set.candidates.empty()) json["candidates"] = set.candidates;
  return json;
}

void add_edits(const CertifiedSet& set, ordered_json& json) {
  if (!set.certified || set.find("edit") == nullptr) return;
  json["edit_distance"] = radius_json(set.radius("edit"));
  json["frontier"] = set.frontier;
}

ordered_json single_edits_json(const SingleEdits& edits) {
  return {{"insertions", edits.insertions},
          {"insertions_covered", edits.insertions_covered},
          {"substitutions", edits.substitutions},
          {"substitutions_covered", edits.substitutions_covered},
          {"deletions", edits.deletions},
          {"deletions_covered", edits.deletions_covered}};
}

}  // namespace textcrs::cli
