#include "textcrs/report/results_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "report/record_lines.h"
#include "report/run_file.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "lock";

Error not_written(const fs::path& path) {
  return failed(fmt::format("{}: cannot be written ({})", path.string(), std::strerror(errno)));
}

void remove_results(const fs::path& folder) {
  // run.json last: without it the other files would be somebody else's.
  for (const char* name : {kSummaryFile, kResultsFile, kRunFile}) {
    std::error_code error;
    fs::remove(folder / name, error);
    if (error)
      throw failed(
          fmt::format("{}: cannot be removed ({})", (folder / name).string(), error.message()));
  }
}

}  // namespace

OtherRun::OtherRun(fs::path file, std::string setting, std::string before, std::string now)
    : Error(ErrorKind::kUsage,
            fmt::format("{}: holds the results of another run ({} was {}, now {}); choose another "
                        "folder, or start anew",
                        file.string(), setting, before, now)),
      file_(std::move(file)),
      setting_(std::move(setting)),
      before_(std::move(before)),
      now_(std::move(now)) {}

OtherVersion::OtherVersion(const fs::path& file, const std::string& before, const std::string& now)
    : OtherVersion(fmt::format("{}: holds results of {}, and this is version {}", file.string(),
                               before.empty() ? "a version before 0.2.0" : "version " + before,
                               now)) {}

OtherVersion::OtherVersion(std::string problem)
    : Error(ErrorKind::kUsage,
            problem + "; finish them with that version, choose another folder, or start anew"),
      problem_(std::move(problem)) {}

ResultsFile::ResultsFile(const fs::path& folder, const std::vector<Setting>& settings,
                         const std::string& version, Start start)
    : path_(folder / kResultsFile) {
  const fs::path run = folder / kRunFile;
  // Once without the lock: waiting for the other process would not help another run.
  if (start == Start::kGoOn && fs::exists(run)) check_run_file(run, settings, version);
  lock_.emplace(folder / kLock);
  if (start == Start::kAnew) remove_results(folder);
  if (fs::exists(run))
    check_run_file(run, settings, version);
  else if (fs::exists(path_))
    throw bad_input(fmt::format("{}: found without {} beside it; choose another folder",
                                path_.string(), kRunFile));
  else
    write_run_file(run, settings, version);
  const size_t whole = fs::exists(path_) ? read(version) : 0;
  fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(whole)) != 0) throw not_written(path_);
}

ResultsFile::~ResultsFile() {
  if (fd_ < 0) return;
  fdatasync(fd_);
  close(fd_);
}

size_t ResultsFile::read(const std::string& version) {
  RecordLines lines = read_record_lines(path_);
  for (const Record& record : lines.records) {
    if (record.version != version) throw OtherVersion(path_, record.version, version);
    ids_.insert(record.id);
  }
  records_ = std::move(lines.records);
  return lines.bytes;
}

void ResultsFile::append(const Record& record) {
  const std::string line = to_json(record) + "\n";
  for (size_t written = 0; written < line.size();) {
    const ssize_t n = write(fd_, line.data() + written, line.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw not_written(path_);
    written += static_cast<size_t>(n);
  }
  // What a power cut takes away is done again in less than it took.
  if (const auto now = std::chrono::steady_clock::now(); now - synced_ > std::chrono::seconds(1)) {
    fdatasync(fd_);
    synced_ = now;
  }
  ids_.insert(record.id);
  records_.push_back(record);
}

}  // namespace textcrs
