// What of a suite can be found wrong before anything runs.
#pragma once

#include <string>
#include <vector>

#include "cli11.h"
#include "textcrs/suite/plan.h"
#include "textcrs/suite/suite_file.h"

namespace textcrs::cli {

// A bad_input Error "FILE:LINE: .." for a flag that its verb does not have, with the nearest one,
// for one that the suite itself gives, or that may not stand in a file, for a value where there
// should be none or none where there should be one, and for a noise or a recipe that is none.
void check_flags(const Suite& suite, const CLI::App& program);

// A bad_input Error that names the first step whose command the program would not take: a number
// out of its range, two flags that exclude each other.
void check_commands(const Suite& suite, const std::vector<PlannedStep>& plan);

// All data, vectors and the like that steps need and that are not here, with the command that
// fetches them; "" if nothing is missing.
std::string missing_assets(const std::vector<PlannedStep>& plan);

// The file of a suite: a path, or the name of one that comes with the program. A usage Error that
// lists those for anything else.
std::filesystem::path find_suite(const std::string& name);

// Of those that come with the program.
std::vector<std::string> suite_names();

// published.toml, which comes with the program.
std::filesystem::path published_file();

}  // namespace textcrs::cli
