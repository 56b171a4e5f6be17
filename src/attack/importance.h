// Which words an answer needs.
#pragma once

#include <vector>

#include "attack/attack_run.h"

namespace textcrs {

// Places of the run's text, the most needed first: by how near the goal the text is without the
// word, ties in the order of the text. Where the budget of queries ends, the first places only.
std::vector<size_t> by_importance(AttackRun& run, const std::vector<size_t>& places);

}  // namespace textcrs
