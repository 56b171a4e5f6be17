#pragma once

#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/tune_votes.h"

namespace TEXTCRS_API textcrs {

// The trials as a table in plain text, in per cent: accuracy, certified accuracy at 1, 2, 3, 5, 10
// edits, the area under the curve. "*" marks those that no other one beats everywhere, "<- chosen"
// the best.
std::string frontier_table(const std::vector<VoteTrial>& trials);

}  // namespace textcrs
