// From the records of a certification run to the table people read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace textcrs::cli {

// Certified accuracy at radius r: the share of texts whose prediction is right, not abstained and
// certified to at least r. {"texts", "accuracy", "abstained", "sound": {"deletion": [{"radius", ..
// "certified_accuracy"}]}, "paper": {..}}. Texts without a label are left out of accuracies.
nlohmann::ordered_json summarize(const std::vector<nlohmann::ordered_json>& records);

// The `mode` part ("sound" or "paper") of a summary as a table in plain text.
std::string table(const nlohmann::ordered_json& summary, const std::string& mode);

}  // namespace textcrs::cli
