#include "suite/table_provenance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

struct InWords {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(uint64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return shortest(value); }
  std::string operator()(const std::string& value) const { return value; }
};

// "dir/" of "dir" and "dir/"; "" for the folder itself.
std::string as_prefix(const fs::path& out) {
  std::string prefix = out.lexically_normal().string();
  if (prefix.empty() || prefix == "." || prefix == "./") return "";
  return prefix.ends_with('/') ? prefix : prefix + '/';
}

}  // namespace

std::map<std::string, std::string> settings_in_words(const std::vector<Setting>& settings) {
  std::map<std::string, std::string> words;
  for (const Setting& setting : settings) {
    std::string value = std::visit(InWords(), setting.value);
    if (!value.empty()) words[setting.name] = std::move(value);
  }
  return words;
}

std::map<std::string, std::string> scalars_in_words(const nlohmann::ordered_json& json) {
  std::map<std::string, std::string> words;
  for (const auto& [key, value] : json.items()) {
    if (value.is_string())
      words[key] = value.get<std::string>();
    else if (value.is_number() || value.is_boolean())
      words[key] = value.dump();
  }
  return words;
}

std::string without_folder(std::string text, const fs::path& out) {
  for (const fs::path& folder : {fs::absolute(out), out}) {
    const std::string prefix = as_prefix(folder);
    if (prefix.empty()) continue;
    for (size_t at = 0; (at = text.find(prefix, at)) != std::string::npos;) {
      const bool begins = at == 0 || text[at - 1] == '=' || text[at - 1] == ' ';
      if (begins)
        text.erase(at, prefix.size());
      else
        at += prefix.size();
    }
  }
  return text;
}

std::string portable(const std::string& word, const fs::path& out) {
  std::string text = without_folder(word, out);
  const size_t sign = text.find("=/");
  if (!text.starts_with('/') && sign == std::string::npos) return text;
  const size_t path = text.starts_with('/') ? 0 : sign + 1;
  const size_t last = text.find_last_of('/');
  return last == path ? text : text.substr(0, path) + "..." + text.substr(last);
}

// Of what a step said, word by word: a path in it may stand in quotes, and end in a colon.
std::string portable_line(const std::string& line, const fs::path& out) {
  const std::string text = without_folder(line, out);
  std::string moved;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    const size_t path = std::min(text.find_first_not_of("'\"(<[", at), end);
    moved += text.substr(at, path - at) + portable(text.substr(path, end - path), out);
    if (end < text.size()) moved += ' ';
    at = end + 1;
  }
  return moved;
}

SuiteStep portable(const SuiteStep& step, const fs::path& out) {
  SuiteStep moved = step;
  moved.problem = portable_line(step.problem, out);
  moved.folder = portable(step.folder.string(), out);
  for (std::string& word : moved.command) word = portable(word, out);
  return moved;
}

std::string setting_of(const TableRun& run, const std::string& name) {
  if (const auto found = run.settings.find(name); found != run.settings.end()) return found->second;
  const std::vector<std::string>& command = run.step.command;
  for (size_t i = 0; i + 1 < command.size(); ++i)
    if (command[i] == "--" + name) return command[i + 1];
  return "";
}

std::string settings_line(const TableRun& run) {
  std::string line;
  for (const auto& [before, name] : {std::pair{"", "recipe"},
                                     {"noise ", "noise"},
                                     {"N = ", "samples"},
                                     {"copies ", "copies"},
                                     {"alpha = ", "alpha"},
                                     {"judge ", "judge"},
                                     {"model ", "model"}})
    if (const auto found = run.settings.find(name); found != run.settings.end())
      line += fmt::format("{}{}{}", line.empty() ? "" : ", ", before, found->second);
  return line;
}

}  // namespace textcrs
