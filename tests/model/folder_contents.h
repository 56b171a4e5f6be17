// What is on disk.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "textcrs/base/files.h"

namespace textcrs {

// The files of a folder and of everything below it, with their bytes.
inline std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[std::filesystem::relative(entry.path(), folder).string()] = read_file(entry.path());
  return files;
}

}  // namespace textcrs
