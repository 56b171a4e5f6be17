// What of a suite can be found wrong before anything runs.
#pragma once

#include <string>
#include <vector>

#include "cli11.h"
#include "textcrs/suite/plan.h"
#include "textcrs/suite/suite_file.h"

namespace textcrs::cli {

// A bad_input Error "FILE:LINE: .." for a flag that its verb does not have, with the nearest one,
// and for one that the suite itself gives.
void check_flags(const Suite& suite, const CLI::App& program);

// A usage Error that names all data, vectors and the like that steps need and that are not here,
// with the command that fetches them.
void check_assets(const std::vector<PlannedStep>& plan);

// The file of a suite: a path, or the name of one that comes with the program. A usage Error that
// lists those for anything else.
std::filesystem::path find_suite(const std::string& name);

// Of those that come with the program.
std::vector<std::string> suite_names();

// published.toml, which comes with the program.
std::filesystem::path published_file();

}  // namespace textcrs::cli
