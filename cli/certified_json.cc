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
  return json;
}

}  // namespace textcrs::cli
