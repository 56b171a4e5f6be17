#include <sstream>

#include "../cli/workspace.h"
#include "faults.h"

namespace textcrs::faults_test {
namespace {

namespace fs = std::filesystem;

void leave_out_times(nlohmann::json& json) {
  if (json.is_object())
    for (const char* time : {"seconds", "wall_seconds"}) json.erase(time);
  if (json.is_structured())
    for (auto& member : json) leave_out_times(member);
}

// A text that is no JSON stays as it is.
std::string without_times(const std::string& text) {
  nlohmann::json json = cli_test::json_of(text);
  if (json.is_discarded()) return text;
  leave_out_times(json);
  return json.dump();
}

template <typename Change>
std::string each_line(const std::string& text, const Change& change) {
  std::string changed;
  for (const std::string& line : cli_test::lines_of(text)) changed += change(line) + "\n";
  return changed;
}

std::string content_of(const fs::path& file) {
  const std::string content = cli_test::read(file);
  const std::string kind = file.extension();
  if (kind == ".json") return without_times(content);
  if (kind == ".jsonl") return each_line(content, without_times);
  if (kind == ".toml")
    return each_line(content, [](const std::string& line) {
      return line.starts_with("resume=") ? "resume=" : line;
    });
  return content;
}

}  // namespace

std::map<std::string, std::string> files_below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = fs::relative(entry.path(), folder);
    if (entry.is_directory())
      files[path + "/"] = "";
    else
      files[path] = content_of(entry.path());
  }
  return files;
}

}  // namespace textcrs::faults_test
