// Whether the records of an earlier, interrupted run can be its own.
#pragma once

#include <filesystem>
#include <vector>

#include "textcrs/certified/certified_classifier.h"
#include "textcrs/data/dataset.h"
#include "textcrs/report/record.h"

namespace textcrs {

// records[i] stands in line i + 1 of `file`. A bad_input Error that names the first line which this
// classifier can not have written about these texts: of a text that is not among them, or that has
// another key, label or content there; with a class that is none of the classifier's, another
// number of counts than classes, another unit, or samples and a stop that its plan does not allow.
void check_resumed(const std::filesystem::path& file, const std::vector<Record>& records,
                   const CertifiedClassifier& classifier, const Dataset& dataset, bool with_text);

}  // namespace textcrs
