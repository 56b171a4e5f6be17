// Where a verb that trains writes.
#pragma once

#include <filesystem>
#include <string>

#include "textcrs/base/error.h"

namespace textcrs::cli {

struct OutputFolder {
  std::filesystem::path folder;
  std::filesystem::path checkpoint;  // beside it: the state of an interrupted run
};

// A usage Error if the folder exists and may not be replaced, a failed Error if nothing can be
// written beside it. Says so if there is an interrupted run that will be forgotten.
OutputFolder open_output(const std::string& out, bool overwrite, bool resume);

// What work() returns; if it is interrupted, the message says how to go on.
template <typename Work>
auto resumable(const Work& work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    throw Error(error.kind(), std::string(error.what()) + "; go on with --resume");
  }
}

}  // namespace textcrs::cli
