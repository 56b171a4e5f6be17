// The manual, from the same definition as the help.
#pragma once

#include <string>

#include "cli11.h"

namespace textcrs::cli {

// textcrs(1) in troff with the man macros: all commands, their flags and examples.
std::string man_page(const CLI::App& program);

}  // namespace textcrs::cli
