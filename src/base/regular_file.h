// Files of folders that are not trusted: a name there may be a pipe that nobody writes to, or a
// device that has no end.
#pragma once

#include <filesystem>
#include <string>

namespace textcrs {

// read_file(), and a bad_input Error for what is there and neither a regular file nor a link to
// one.
std::string read_regular_file(const std::filesystem::path& path);

}  // namespace textcrs
