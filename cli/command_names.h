// The commands of the program, or the commands of a command.
#pragma once

#include <string>
#include <vector>

#include "cli11.h"

namespace textcrs::cli {

std::vector<std::string> command_names(const CLI::App& app);
const CLI::App* find_command(const CLI::App& app, const std::string& name);  // null: none

}  // namespace textcrs::cli
