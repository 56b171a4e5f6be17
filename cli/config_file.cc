#include "config_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>

#include "textcrs/base/error.h"

namespace textcrs::cli {
namespace {

constexpr size_t kMostBytes = size_t{256} << 10;
constexpr std::ptrdiff_t kMostSectionLevels = 4, kMostKeyLevels = 64;

// As CLI11 reads a line: without the white space around it.
std::string_view trimmed(std::string_view line) {
  constexpr std::string_view kBlank = " \t\n\v\f\r";
  line.remove_prefix(std::min(line.find_first_not_of(kBlank), line.size()));
  return line.substr(0, line.find_last_not_of(kBlank) + 1);
}

void check_levels(const std::string& place, std::string_view line) {
  line = trimmed(line);
  if (line.starts_with('#') || line.starts_with(';')) return;
  const bool section = line.starts_with('[') && line.ends_with(']');
  const std::string_view name = section ? line : line.substr(0, line.find('='));
  const std::ptrdiff_t levels = 1 + std::count(name.begin(), name.end(), '.');
  const std::ptrdiff_t most = section ? kMostSectionLevels : kMostKeyLevels;
  if (levels > most)
    throw bad_input(fmt::format("{}: found a {} of {} levels, expected at most {}", place,
                                section ? "section" : "key", levels, most));
}

// A validator of the path. It opens nothing: the file may be a pipe.
std::string check_readable(const std::string& path) {
  std::error_code ignored;
  const bool folder = std::filesystem::is_directory(path, ignored);
  if (folder || access(path.c_str(), R_OK) != 0)
    throw bad_input(fmt::format("{}: cannot be read ({})", path,
                                folder ? "it is a folder" : std::strerror(errno)));
  return "";
}

class BoundedToml : public CLI::ConfigTOML {
 public:
  explicit BoundedToml(const CLI::App& app) : app_(app) {}

  // What is parsed is what was checked: the file is read once.
  std::vector<CLI::ConfigItem> from_config(std::istream& in) const override {
    const std::string path = app_.get_config_ptr()->as<std::string>();
    std::string content(kMostBytes + 1, '\0');
    in.read(content.data(), static_cast<std::streamsize>(content.size()));
    content.resize(static_cast<size_t>(in.gcount()));
    if (content.size() > kMostBytes)
      throw bad_input(
          fmt::format("{}: found more than {} bytes, expected a file of flags", path, kMostBytes));
    std::istringstream lines(content);
    size_t number = 0;
    for (std::string line; std::getline(lines, line);)
      check_levels(fmt::format("{}:{}", path, ++number), line);
    lines = std::istringstream(content);
    return CLI::ConfigTOML::from_config(lines);
  }

 private:
  const CLI::App& app_;
};

}  // namespace

void add_config_file(CLI::App& app) {
  app.set_config("--config", "", "A TOML file with flags")->check(check_readable);
  app.config_formatter(std::make_shared<BoundedToml>(app));
}

}  // namespace textcrs::cli
