// What the program says about a command line that it does not understand.
#pragma once

#include <string>

#include "cli11.h"

namespace CLI {
class Error;
}

namespace textcrs::cli {

// CLI11's message, but for what is unknown: commands, flags and keys of configuration files are
// named with the nearest one there is.
std::string failure_message(const CLI::App* app, const CLI::Error& error);

}  // namespace textcrs::cli
