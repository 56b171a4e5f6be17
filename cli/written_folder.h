// What the verbs that train leave behind: the files of OUT and of OUT.partial.
#pragma once

#include <filesystem>
#include <string>

namespace textcrs::cli {

// A usage Error that says what was found unless the folder is empty, or a model's or an encoder's
// that this program wrote with nothing else in it; the first also if it is no folder.
void check_is_written_by_us(const std::filesystem::path& folder);

// The same of OUT.partial, when what killed processes left of its files is removed.
void check_is_checkpoint(const std::filesystem::path& folder);

// The member "run" of a JSON file; "" if there is none.
std::string run_of(const std::filesystem::path& file);

// Whether the saved flags (OUT/train.toml) have all lines of those that were given, but for what
// decides no result.
bool has_flags(const std::filesystem::path& file, const std::string& given);

}  // namespace textcrs::cli
