// What stands at a path that a user named.
#pragma once

#include <filesystem>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// Whether anything, or a folder, is there; links are followed. What can not be known is a bad_input
// Error that names the path: a loop of links, a name that is too long, a folder that may not be
// entered. A path below a file is not there.
bool is_there(const std::filesystem::path& path);
bool is_folder(const std::filesystem::path& path);

}  // namespace textcrs
