// Files of tables and figures that the suite does not have any more.
#pragma once

#include <filesystem>
#include <set>
#include <span>
#include <string>

namespace textcrs {

// Removes from a folder what an earlier call wrote under names that are not among these: the files
// NAME + ending of a name that has one of each. What lacks one is somebody's own and stays.
void remove_stale(const std::filesystem::path& folder, std::span<const char* const> endings,
                  const std::set<std::string>& names);

}  // namespace textcrs
