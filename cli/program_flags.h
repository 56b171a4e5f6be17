// What all commands share: the program's own flags, and what its help says about all flags.
#pragma once

#include "cli11.h"

namespace textcrs::cli {

// --config, --quiet, --color and --version. They go before a command or behind it. Before a command
// runs, warn_of_unknown_variables().
void add_program_flags(CLI::App& app);

// --learning-rate is also TEXTCRS_LEARNING_RATE, for every flag of every command but --help and
// --version.
void add_environment_twins(CLI::App& app);

// A remark for each TEXTCRS_ variable that is set and that no part of the program reads.
void warn_of_unknown_variables(const CLI::App& app);

constexpr const char* kWhereFlagsComeFrom =
    "A flag may also come from the environment (--learning-rate: TEXTCRS_LEARNING_RATE) or from a\n"
    "TOML file given with --config, one section per command ([train] learning-rate = 0.002). A "
    "flag\n"
    "on the command line wins over the file, and the file over the environment. Data and caches\n"
    "live in $TEXTCRS_HOME (default ~/.cache/textcrs).";
constexpr const char* kExitCodes =
    "0 done, 1 failed, 2 usage, 3 bad input, 4 interrupted (train and certify can go on).";

}  // namespace textcrs::cli
