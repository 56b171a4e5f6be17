#include "suite/stale_files.h"

#include <algorithm>

namespace textcrs {

namespace fs = std::filesystem;

void remove_stale(const fs::path& folder, std::span<const char* const> endings,
                  const std::set<std::string>& names) {
  std::set<std::string> stale;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().stem().string();
    const bool complete = std::all_of(endings.begin(), endings.end(), [&](const char* ending) {
      std::error_code ignored;
      return fs::is_regular_file(folder / (name + ending), ignored);
    });
    if (complete && !names.contains(name)) stale.insert(name);
  }
  std::error_code ignored;
  for (const std::string& name : stale)
    for (const char* const ending : endings) fs::remove(folder / (name + ending), ignored);
}

}  // namespace textcrs
