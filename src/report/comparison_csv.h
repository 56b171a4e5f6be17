#pragma once

#include <string>

#include "textcrs/report/comparison.h"

namespace textcrs {

std::string radius_in_words(double radius);  // "3", "any"

// One line per run, figures and tests side by side.
std::string comparison_csv(const Comparison& comparison);

}  // namespace textcrs
