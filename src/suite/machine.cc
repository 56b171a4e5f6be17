#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "textcrs/base/counted.h"
#include "textcrs/base/parallel.h"
#include "textcrs/suite/manifest.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

// The value of the first line "KEY : VALUE" of a file; "" if there is none.
std::string value_in(const fs::path& file, const std::string& key) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with(key)) continue;
    const size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const size_t begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

// Names of the GPUs that NVIDIA's driver shows, and how many there are of each.
std::map<std::string, int> gpus() {
  std::map<std::string, int> counts;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator("/proc/driver/nvidia/gpus", ignored))
    if (const std::string name = value_in(entry.path() / "information", "Model"); !name.empty())
      ++counts[name];
  return counts;
}

}  // namespace

std::string machine_in_words() {
  std::string cpu = value_in("/proc/cpuinfo", "model name");
  if (cpu.empty()) cpu = "CPU";
  std::string words = fmt::format("{}, {}", cpu, counted(available_cores(), "core"));
  for (const auto& [name, count] : gpus())
    words += count == 1 ? ", " + name : fmt::format(", {} x {}", count, name);
  return words;
}

}  // namespace textcrs
