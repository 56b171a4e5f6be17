// A temporary folder for one test, with TEXTCRS_HOME pointing into it.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

namespace textcrs {

class ScratchHome {
 public:
  ScratchHome() {
    std::string pattern = (std::filesystem::temp_directory_path() / "textcrs-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    setenv("TEXTCRS_HOME", home().c_str(), 1);
  }
  ~ScratchHome() {
    unsetenv("TEXTCRS_HOME");
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ScratchHome(const ScratchHome&) = delete;
  ScratchHome& operator=(const ScratchHome&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  std::filesystem::path home() const { return folder_ / "home"; }  // not made here

  std::filesystem::path write(const std::string& name, std::string_view content) const {
    const std::filesystem::path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  // Everything below the folder, by its path from there.
  std::set<std::string> listing() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
      names.insert(std::filesystem::relative(entry.path(), folder_).string());
    return names;
  }

 private:
  std::filesystem::path folder_;
};

// The message of the Error that `call` throws; empty if it throws none.
template <typename Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace textcrs
