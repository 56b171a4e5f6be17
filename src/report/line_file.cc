#include "report/line_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/temporary.h"
#include "base/write_whole.h"
#include "report/run_file.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = "lock";

Error not_written(const fs::path& path) {
  return failed(fmt::format("{}: cannot be written ({})", path.string(), std::strerror(errno)));
}

Error not_ours(const fs::path& path, const std::string& found) {
  return usage_error(
      fmt::format("{}: found {}; it is not removed: choose another folder", path.string(), found));
}

// Versions before 0.2.0 did not name themselves.
bool is_of_a_run(const RunSettings& run) {
  return !run.version.empty() || std::any_of(run.settings.begin(), run.settings.end(),
                                             [](const Setting& s) { return s.name == "model"; });
}

// run.json goes last and comes first: without it the other files are somebody else's.
void remove_results(const fs::path& folder) {
  if (fs::exists(fs::symlink_status(folder / kRunFile))) {
    try {
      if (!is_of_a_run(read_run_file(folder / kRunFile)))
        throw bad_input("no version of this program wrote it");
    } catch (const Error& error) {
      throw not_ours(folder / kRunFile, fmt::format("a file of others ({})", error.what()));
    }
  } else {
    for (const char* name : {kSummaryFile, kResultsFile})
      if (fs::exists(fs::symlink_status(folder / name)))
        throw not_ours(folder / name, fmt::format("it without {} beside it", kRunFile));
  }
  for (const char* name : {kSummaryFile, kResultsFile, kRunFile}) {
    std::error_code error;
    fs::remove(folder / name, error);
    if (error)
      throw failed(
          fmt::format("{}: cannot be removed ({})", (folder / name).string(), error.message()));
  }
}

}  // namespace

LineFile::LineFile(const fs::path& folder, const std::vector<Setting>& settings,
                   const std::string& version, ResultsFile::Start start)
    : path_(folder / kResultsFile) {
  const fs::path run = folder / kRunFile;
  // Once without the lock: waiting for the other process would not help another run.
  if (start == ResultsFile::Start::kGoOn && fs::exists(run)) check_run_file(run, settings, version);
  lock_.emplace(folder / kLock);
  if (start == ResultsFile::Start::kAnew) remove_results(folder);
  if (fs::exists(run))
    check_run_file(run, settings, version);
  else if (exists())
    throw bad_input(fmt::format("{}: found without {} beside it; choose another folder",
                                path_.string(), kRunFile));
  else
    write_run_file(run, settings, version);
}

LineFile::~LineFile() {
  if (fd_ < 0) return;
  if (!on_disk_) fdatasync(fd_);  // nothing was said about these lines
  close(fd_);
}

void LineFile::open_after(size_t bytes) {
  // A link is not followed: what it names is not this run's. Nor is a pipe waited for.
  fd_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
             0644);
  if (fd_ < 0 || ftruncate(fd_, static_cast<off_t>(bytes)) != 0) throw not_written(path_);
  sync();
  try {
    sync_to_disk(path_.parent_path());  // it may be new there
  } catch (const fs::filesystem_error& error) {
    errno = error.code().value();
    throw not_written(path_);
  }
}

void LineFile::sync() {
  while (fdatasync(fd_) != 0)
    if (errno != EINTR) throw not_written(path_);
  on_disk_ = true;
  synced_ = std::chrono::steady_clock::now();
}

void LineFile::append(const std::string& content) {
  on_disk_ = false;
  if (!write_whole(fd_, content + "\n")) throw not_written(path_);
  // What a power cut takes away is done again in less than it took.
  if (std::chrono::steady_clock::now() - synced_ > std::chrono::seconds(1)) sync();
}

}  // namespace textcrs
