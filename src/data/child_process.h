// Runs another program without a shell and waits for it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/base/stop.h"

namespace textcrs {

struct ChildResult {
  bool found = true;   // false: no such program on PATH; nothing was run
  int exit_code = 0;   // of a program that ended by itself
  int signal = 0;      // the signal that ended it, or 0
  std::string output;  // the last 64 KiB of standard output and standard error, as they came

  bool succeeded() const { return found && exit_code == 0 && signal == 0; }
};

// Runs `arguments[0]`, looked up on PATH, in `folder`, with the file `input` as standard input. A
// machine that can not start it is a failed Error. When `stop` asks for it the program and what it
// has started are ended, and an Error of kind kInterrupted is thrown.
ChildResult run_program(const std::vector<std::string>& arguments,
                        const std::filesystem::path& folder,
                        const std::filesystem::path& input = "/dev/null", StopToken stop = {});

// Why it did not succeed, in words: "npm exited with code 1 (npm error code ENOTFOUND)". In
// brackets npm's line with the error's code where there is one, else the last line of the output.
std::string describe_failure(const std::string& program, const ChildResult& result);

}  // namespace textcrs
