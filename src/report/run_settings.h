// What a run's results depend on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/certified/certified_classifier.h"
#include "textcrs/data/dataset.h"

namespace textcrs {

// The classifier's and the texts' settings with `more` between them. Results belong to one model
// and to certain texts, not to the name of a folder or a file.
std::vector<Setting> run_settings(const Description& classifier, const Dataset& dataset,
                                  const std::vector<Setting>& more);

// The two parts of them: the classifier's alone, and "name hash" of the texts.
std::vector<Setting> classifier_settings(const Description& classifier,
                                         const std::vector<Setting>& more = {});
std::string data_setting(const Dataset& dataset);

// The samples of a text under a stop rule that never stops; none without a stop rule.
std::optional<uint64_t> planned_samples(const Description& classifier);

// Whether a stop rule decided how many samples were drawn for a text.
bool stopped_by_rule(const Description& classifier, const Certification& certification);

}  // namespace textcrs
