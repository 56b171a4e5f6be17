// Members of files of JSON that the program wrote, asked for by their names.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// Whether it is a file with an object of JSON that has all these members; false as well for what
// can not be read, is no JSON, or is refused as a value of a model's files is (depth, memory).
bool has_members(const std::filesystem::path& file, std::initializer_list<const char*> names);

// A member of such an object; nothing if it is not there, or of another type.
std::optional<std::string> text_member(const std::filesystem::path& file, const std::string& name);
std::optional<double> number_member(const std::filesystem::path& file, const std::string& name);

}  // namespace textcrs
