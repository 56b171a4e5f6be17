// Where a verb that trains writes.
#pragma once

#include <filesystem>
#include <string>

namespace textcrs::cli {

struct OutputFolder {
  std::filesystem::path folder;
  std::filesystem::path checkpoint;  // beside it: the state of an interrupted run
};

// A usage Error if the folder exists and may not be replaced. Says so if there is an interrupted
// run that will be forgotten.
OutputFolder open_output(const std::string& out, bool overwrite, bool resume);

}  // namespace textcrs::cli
