#include "flag_values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>

#include "command_names.h"
#include "split.h"
#include "suggested_words.h"

namespace textcrs::cli {
namespace {

const std::map<std::string, std::string>& names_by_flag() {
  static const std::map<std::string, std::string> names = {
      {"bert", kEncoder},
      {"canonical", "CLUSTERS"},
      {"certificate", "sound|paper"},
      {"config", kFile},
      {"data", kData},
      {"distil", kFolder},
      {"fallback", kFolder},
      {"format", kFormat},
      {"id-column", "COLUMN"},
      {"isa", fmt::format("{}", fmt::join(isa_words(), "|"))},
      {"label-column", "COLUMN"},
      {"model", kFolder},
      {"noise", kNoise},
      {"out", kFolder},
      {"split", "train|test"},
      {"start-from", kFolder},
      {"synonyms", kSynonyms},
      {"text-column", "COLUMN"},
      {"validation", kData},
      {"vary-noise", "LOW..HIGH"},
      {"vectors", kVectors},
  };
  return names;
}

// CLI11 says "INT:INT in [0 - 4096]" or "TEXT:{cpu,cuda}": the type, then what is checked.
struct TypeText {
  std::string name, check;  // "INT", "INT in [0 - 4096]"; the check may be empty
};

TypeText type_of(const CLI::Option& option) {
  const std::string text = option.get_type_name();
  const size_t colon = text.find(':');
  if (colon == std::string::npos) return {text, ""};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

bool is_choice(const std::string& check) { return check.starts_with("{") && check.ends_with("}"); }

// Of "{,fp32,bf16}" two words: the empty one is the default and is not written.
std::vector<std::string> choices(const std::string& check) {
  std::vector<std::string> words = split(check.substr(1, check.size() - 2), ",");
  std::erase(words, "");
  return words;
}

// In words what CLI11 checks of a number.
std::string range_in_words(const std::string& check) {
  if (check == "POSITIVE") return "above 0";
  if (check == "NONNEGATIVE") return "at least 0";
  const size_t open = check.find(" in ["), dash = check.find(" - ");
  if (open == std::string::npos || dash == std::string::npos || !check.ends_with("]")) return check;
  const size_t least = open + 5, most = dash + 3;
  return fmt::format("{} to {}", check.substr(least, dash - least),
                     check.substr(most, check.size() - 1 - most));
}

}  // namespace

void name_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (!takes_value(*option)) continue;
    const std::string type = type_of(*option).name;
    const auto name = option->get_lnames().empty() ? names_by_flag().end()
                                                   : names_by_flag().find(option->get_lnames()[0]);
    const bool has_name = type != "TEXT" && !type.empty();  // other than CLI11's
    if (!has_name && name != names_by_flag().end())
      option->type_name(name->second);
    else if (type == "INT" || type == "UINT")
      option->type_name(kWholeNumber);
    else if (type == "FLOAT")
      option->type_name(kNumber);
  }
  for (CLI::App* command : app.get_subcommands({})) name_values(*command);
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::string value_name(const CLI::Option& option) {
  if (!takes_value(option)) return "";
  const auto [name, check] = type_of(option);
  if (!is_choice(check)) return name;
  return fmt::format("{}", fmt::join(choices(check), "|"));
}

std::string value_remarks(const CLI::Option& option) {
  std::vector<std::string> remarks;
  if (!takes_value(option)) return "";
  const std::string check = type_of(option).check;
  if (!check.empty() && !is_choice(check)) remarks.push_back(range_in_words(check));
  if (option.get_required())
    remarks.push_back("required");
  else if (const std::string value = option.get_default_str(); !value.empty() && value != "[]")
    remarks.push_back("default: " + value);
  return fmt::format("{}", fmt::join(remarks, "; "));
}

Suggestions suggestions_for(const CLI::App& program, const CLI::Option& option) {
  using Paths = Suggestions::Paths;
  const std::string name = value_name(option);
  if (name == kFile) return {Paths::kFiles, {}};
  if (name == kFolder) return {Paths::kFolders, {}};
  if (name == kNoise) return {Paths::kNone, noise_words()};
  if (name == kData) return {Paths::kFiles, data_words()};
  if (name == kAsset) return {Paths::kNone, asset_words()};
  if (name == kVectors) return {Paths::kFiles, vectors_words()};
  if (name == kSynonyms) return {Paths::kFiles, synonyms_words()};
  if (name == kEncoder) return {Paths::kFolders, encoder_words()};
  if (name == kFormat) return {Paths::kNone, format_words()};
  if (name == kSuite) return {Paths::kFiles, suite_words()};
  if (name == kRecipe) return {Paths::kNone, recipe_words()};
  if (name == kCommand) return {Paths::kNone, command_names(program)};
  if (name.find('|') != std::string::npos) return {Paths::kNone, split(name, "|")};
  return {};
}

}  // namespace textcrs::cli
