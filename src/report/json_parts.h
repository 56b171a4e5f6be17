// The parts that every JSON output is made of, each spelled once.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "text/json_value.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/certify/certified_set.h"
#include "textcrs/certify/embedding_change.h"
#include "textcrs/certify/witness.h"
#include "textcrs/report/class_report.h"

namespace textcrs {

// A whole number without a point, "unlimited", or any other number.
nlohmann::ordered_json radius_to_json(double radius);
double radius_from_json(const JsonValue& json);

// Adds "proved": false for what the paper's formulas say, nothing for what is proved.
void add_proved(CertificateMode mode, nlohmann::ordered_json& json);

// {"certified": true, "proved": false, "deletion": 3, "reordering": "unlimited", ..., "unit": "l2
// embedding change", "frontier": [[lost, gained], ..], "window": 13, "candidates": "..",
// "replaceable": 4, "synonyms": {..}, "canonical": "..", "stop_words": {..}}; "proved" as
// add_proved() says, the last eight where the set has them: "unit" where radii other than a
// reordering's count neither words nor sentences. Reading gives guarantees that unit and no other.
nlohmann::ordered_json set_to_json(const CertifiedSet& set, CertificateMode mode);
CertifiedSet set_from_json(const JsonValue& json);

// Adds "edit_distance" and "frontier" where the set has them.
void add_edits(const CertifiedSet& set, nlohmann::ordered_json& json);

// Adds "candidates" and "replaceable" where the set is about candidates.
void add_candidates(const CertifiedSet& set, nlohmann::ordered_json& json);

// Adds "synonyms": {"table": "..", "certified": true, "edits": 1} where the set speaks of them.
void add_synonyms(const CertifiedSet& set, nlohmann::ordered_json& json);

// Adds what is free beside everything else: "canonical", the clusters' name, and "stop_words":
// {"list": "english", "words": 160}, where the set speaks of them.
void add_free_edits(const CertifiedSet& set, nlohmann::ordered_json& json);

// {"insertions": 40, "insertions_covered": 31, ...}
nlohmann::ordered_json single_edits_to_json(const SingleEdits& edits);
SingleEdits single_edits_from_json(const JsonValue& json);

// {"prediction": "neg", "lost": [[3, "excellent"], ..], "gained": ["worst", ..]}
nlohmann::ordered_json witness_to_json(const Witness& witness);
Witness witness_from_json(const JsonValue& json);

// Adds "classes": [{"class": "pos", "texts": 50, "answered": 48, "right": 45, "precision": ..,
// "recall": .., "f1": ..}, ..], with "abstained" behind "right" where there may be some and null
// for a share of nothing, and "confusion": {label: {answer: texts, ..}, ..} without the zeros.
void add_classes(const ClassReport& report, nlohmann::ordered_json& json);

}  // namespace textcrs
