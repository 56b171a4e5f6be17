// The file of --config: TOML of bounded size and depth.
#pragma once

#include "cli11.h"

namespace textcrs::cli {

// Adds --config to the program. A file that can not be read, has more than 256 KiB, a section of
// more than 4 levels or a key of more than 64 is a bad_input Error that names it and its line: the
// parser keeps a list of levels for each level.
void add_config_file(CLI::App& app);

}  // namespace textcrs::cli
