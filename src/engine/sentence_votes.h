// What a sentence gives each class (docs/certificates.md, B12).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// All that a sentence has to give: no class gets more of it, or less than 0.
constexpr int32_t kWholeVote = 4096;

// kWholeVote times the softmax of each row of `scores` (rows, classes), rounded to whole numbers.
// A row's votes depend on the row alone. A bad_input Error for scores that are not finite.
std::vector<int32_t> sentence_votes(std::span<const double> scores, size_t classes);

}  // namespace textcrs
