// The whole numbers of models that cast votes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/model/classifier.h"

namespace TEXTCRS_API textcrs {

constexpr int32_t kLargestTableScore = 1 << 29;  // a certificate's kLargestScore

// The values of a tensor of votes. A bad_input Error for one that is no whole
// number, or larger than kLargestTableScore.
std::vector<int32_t> whole_numbers(const Classifier& classifier, const std::string& name);

}  // namespace textcrs
