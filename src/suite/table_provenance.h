// Where numbers are from, in words that say nothing of the machine's folders.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "textcrs/certified/setting.h"
#include "textcrs/suite/manifest.h"
#include "textcrs/suite/tables.h"

namespace textcrs {

std::map<std::string, std::string> settings_in_words(const std::vector<Setting>& settings);

// The members of an object that are texts, numbers or flags.
std::map<std::string, std::string> scalars_in_words(const nlohmann::ordered_json& json);

// Without the folder of the suite in front of paths: at the beginning, behind a space or a '='.
std::string without_folder(std::string text, const std::filesystem::path& out);

// A word of a command or a path, without that, and with ".../NAME" instead of another absolute path
// ("/dir/NAME", "x=/dir/NAME").
std::string portable(const std::string& word, const std::filesystem::path& out);

// What the folder or, else, the command says; "" if neither does.
std::string setting_of(const TableRun& run, const std::string& name);

// What the folder says: "noise universal:p=0.9, N = 100000, alpha = 0.001, model 0123456789abcdef"
std::string settings_line(const TableRun& run);

}  // namespace textcrs
