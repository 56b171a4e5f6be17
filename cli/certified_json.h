// Certified sets as JSON, the same in every output.
#pragma once

#include <nlohmann/json.hpp>

#include "textcrs/certify/certified_set.h"

namespace textcrs::cli {

// A radius is a number or "unlimited".
nlohmann::ordered_json radius_json(double radius);
double radius_from_json(const nlohmann::ordered_json& value);

// {"certified": true, "deletion": 3, "reordering": "unlimited", ..., "frontier": [[lost,
// gained]..]}
nlohmann::ordered_json set_json(const CertifiedSet& set);

}  // namespace textcrs::cli
