// Certified sets as JSON, the same in every output.
#pragma once

#include <nlohmann/json.hpp>

#include "textcrs/certify/certified_set.h"
#include "textcrs/certify/embedding_change.h"

namespace textcrs::cli {

// A radius is a number or "unlimited".
nlohmann::ordered_json radius_json(double radius);
double radius_from_json(const nlohmann::ordered_json& value);

// {"certified": true, "deletion": 3, "reordering": "unlimited", ..., "frontier": [[lost,
// gained]..]}
nlohmann::ordered_json set_json(const CertifiedSet& set);

// Adds "edit_distance" and "frontier" where the set has them.
void add_edits(const CertifiedSet& set, nlohmann::ordered_json& json);

// {"insertions": 40, "insertions_covered": 31, ...}
nlohmann::ordered_json single_edits_json(const SingleEdits& edits);

}  // namespace textcrs::cli
