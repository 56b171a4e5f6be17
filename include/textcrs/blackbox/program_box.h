// A program as a black box: one JSON text a line on its standard input, one answer a line on its
// standard output (docs/black-box.md).
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/blackbox/black_box.h"

namespace TEXTCRS_API textcrs {

struct ProgramOptions {
  std::string command;  // run by /bin/sh
  std::vector<std::string> classes;
  std::string version;  // what its user calls this state of it; may be empty
  size_t batch = 64;    // lines that it is given before its answers are awaited
  int workers = 1;      // of these programs at once
  // What one batch may take; of the first of a program, its start included.
  std::chrono::milliseconds timeout{60'000};
  int attempts = 3;  // of one batch, each with a program started anew
};

// The program is started when it is first asked, and stays. Where it dies or is late, it is ended,
// started anew, and asked the batch again; a failed Error if that does not help, and at once if the
// first batch of all is late. A bad_input Error that names the line for what is no answer, an
// answer too many, or one to another text. In each are the last lines of its standard error. Its
// programs end with it: their standard input is closed, and what does not end then is ended.
// A usage Error for classes that are none, an empty command and numbers that are not positive.
std::unique_ptr<BlackBox> make_program_box(const ProgramOptions& options);

}  // namespace textcrs
