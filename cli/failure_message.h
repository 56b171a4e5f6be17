// What the program says when it fails.
#pragma once

#include <string>
#include <string_view>

#include "cli11.h"

namespace CLI {
class Error;
}

namespace textcrs::cli {

// "textcrs: error: WHAT", with colour where standard error has it.
std::string error_line(std::string_view what);

// What is wrong with the command line: CLI11's message, but for what is unknown: commands, flags
// and keys of configuration files are named with the nearest one there is.
std::string failure_message(const CLI::App* app, const CLI::Error& error);

}  // namespace textcrs::cli
