#include "results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs::cli {

using nlohmann::ordered_json;

namespace {

// selection_samples: --selection-samples
std::string flag_of(std::string key) {
  std::replace(key.begin(), key.end(), '_', '-');
  return "--" + key;
}

}  // namespace

ResultsFile::ResultsFile(const std::filesystem::path& folder, const ordered_json& run)
    : path_(folder / "results.jsonl") {
  const auto run_path = folder / "run.json";
  if (std::filesystem::exists(run_path)) {
    const auto before = ordered_json::parse(read_file(run_path), nullptr, /*exceptions=*/false);
    for (const auto& [key, value] : run.items())
      if (!before.is_object() || !before.contains(key) || before[key] != value)
        throw usage_error(fmt::format(
            "{}: holds the results of another run ({} was {}, now {}); choose another --out",
            run_path.string(), flag_of(key),
            before.is_object() && before.contains(key) ? before[key].dump() : "missing",
            value.dump()));
  } else if (std::filesystem::exists(path_)) {
    throw bad_input(
        fmt::format("{}: found without run.json beside it; choose another --out", path_.string()));
  } else {
    write_file_atomically(run_path, run.dump(2) + "\n");
  }

  size_t whole = 0;
  if (std::filesystem::exists(path_)) {
    const std::string content = read_file(path_);
    size_t line = 0;
    for (size_t end; (end = content.find('\n', whole)) != std::string::npos; whole = end + 1) {
      ++line;
      auto record =
          ordered_json::parse(content.begin() + static_cast<ptrdiff_t>(whole),
                              content.begin() + static_cast<ptrdiff_t>(end), nullptr, false);
      if (!record.is_object() || !record.contains("id") || !record["id"].is_number_unsigned())
        throw bad_input(
            fmt::format("{}:{}: expected a JSON object with an id", path_.string(), line));
      ids_.insert(record["id"].get<uint32_t>());
      records_.push_back(std::move(record));
    }
  }
  fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(whole)) != 0)
    throw failed(fmt::format("{}: cannot be written ({})", path_.string(), std::strerror(errno)));
}

ResultsFile::~ResultsFile() {
  if (fd_ >= 0) close(fd_);
}

void ResultsFile::append(const ordered_json& record) {
  const std::string line = record.dump() + "\n";
  for (size_t written = 0; written < line.size();) {
    const ssize_t n = write(fd_, line.data() + written, line.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      throw failed(fmt::format("{}: cannot be written ({})", path_.string(), std::strerror(errno)));
    written += static_cast<size_t>(n);
  }
  fdatasync(fd_);
  ids_.insert(record.at("id").get<uint32_t>());
  records_.push_back(record);
}

}  // namespace textcrs::cli
