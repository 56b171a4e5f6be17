// Scripts with which a shell completes the program's command lines: its commands and flags, the
// values of flags where there are lists of them, the names of files and folders where one is meant.
#pragma once

#include <string>

#include "cli11.h"

namespace textcrs::cli {

std::string bash_completion(const CLI::App& program);
std::string zsh_completion(const CLI::App& program);

}  // namespace textcrs::cli
