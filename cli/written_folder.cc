#include "written_folder.h"

#include <fmt/format.h>

#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/text/json_file.h"

namespace textcrs::cli {
namespace {

namespace fs = std::filesystem;
using Names = std::set<std::string>;

// Each of them is written by the program alone.
const Names kSigns = {"train.toml", "training.json", "pretrain.toml", "pretraining.json"};
const Names kModelFiles = {"config.json",   "model.safetensors", "vocab.txt",     "tokenizer.json",
                           "synonyms.json", "canonical.txt",     "stop_words.txt"};
const Names kCheckpointFiles = {"state.json", "state.safetensors", "trials.json"};

// Classifier::save writes it, too, without the signs above.
bool is_config_of_classifier(const fs::path& file) {
  return has_members(file, {"architecture", "classes", "noise"});
}

// What a folder has beside files of these names.
std::optional<std::string> other_entry(const fs::path& folder, const Names& names) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!names.contains(name) || !entry.is_regular_file()) return name;
  }
  return std::nullopt;
}

Error not_replaced(const fs::path& folder, const std::string& why) {
  return usage_error(fmt::format(
      "{}: {}; it is not replaced: move it away, or choose another --out", folder.string(), why));
}

void check_has_only(const fs::path& folder, const Names& names) {
  if (!fs::is_directory(folder)) throw not_replaced(folder, "found a file, expected a folder");
  if (const auto other = other_entry(folder, names))
    throw not_replaced(folder, fmt::format("found {}, which training does not write", *other));
}

bool decides_results(std::string_view line) {
  const std::string_view key = line.substr(0, line.find('='));
  return key != "resume" && key != "overwrite" && key != "out" && key != "threads";
}

}  // namespace

void check_is_written_by_us(const fs::path& folder) {
  Names names = kModelFiles;
  names.insert(kSigns.begin(), kSigns.end());
  check_has_only(folder, names);
  if (fs::is_empty(folder) || is_config_of_classifier(folder / "config.json")) return;
  for (const std::string& sign : kSigns)
    if (fs::exists(folder / sign)) return;
  throw not_replaced(folder, "found a folder of others, without a training.json");
}

void check_is_checkpoint(const fs::path& folder) {
  for (const std::string& name : kCheckpointFiles) remove_leftovers(folder / name);
  check_has_only(folder, kCheckpointFiles);
}

std::string run_of(const fs::path& file) { return text_member(file, "run").value_or(""); }

bool has_flags(const fs::path& file, const std::string& given) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return false;
  std::set<std::string> saved;
  std::istringstream lines(read_file(file)), wanted(given);
  for (std::string line; std::getline(lines, line);) saved.insert(line);
  for (std::string line; std::getline(wanted, line);)
    if (!line.empty() && decides_results(line) && !saved.contains(line)) return false;
  return true;
}

}  // namespace textcrs::cli
