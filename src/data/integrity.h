// The hash of a downloaded archive, as npm prints it.
#pragma once

#include <filesystem>
#include <string>

namespace textcrs {

// "sha512-" and the base64 of a file's hash. A file that can not be read is a bad_input Error.
std::string file_integrity(const std::filesystem::path& path);

}  // namespace textcrs
