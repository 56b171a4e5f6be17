// Runs as verbs that read several of them take them: FOLDER, or NAME=FOLDER.
#pragma once

#include <filesystem>
#include <string>

namespace textcrs::cli {

struct RunArgument {
  std::string name;  // without one, the folder's own
  std::filesystem::path folder;
};

// What is a folder as it stands has no name in front. A usage Error for an empty name.
RunArgument parse_run_argument(const std::string& argument);

}  // namespace textcrs::cli
