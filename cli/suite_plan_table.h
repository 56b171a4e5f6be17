// A suite's plan for people.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/suite/plan.h"

namespace textcrs::cli {

// A line per step: its state, what it takes, its command; then the sums, and what they are of.
std::string plan_table(const Suite& suite, const std::vector<PlannedStep>& plan,
                       const std::filesystem::path& out, int jobs);

// "12 of 60 steps are done; the others take about 1 h 20 min and 3.1 GB"
std::string plan_in_words(const std::vector<PlannedStep>& plan, const std::filesystem::path& out,
                          int jobs);

}  // namespace textcrs::cli
