// A terminal that a test reads.
#pragma once

#include <string>

#include "process.h"

namespace textcrs::cli_test {

// The program with standard output or standard error on a terminal. What the terminal got is
// Result::out or Result::err, its line ends as the program wrote them.
enum class OnTerminal { kOutput, kErrors };
Result run_on_terminal(OnTerminal streams, const Arguments& arguments,
                       const Environment& environment = {});

}  // namespace textcrs::cli_test
