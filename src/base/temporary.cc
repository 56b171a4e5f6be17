#include "base/temporary.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace textcrs {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = ".tmp-";
constexpr size_t kDigits = 16;

fs::filesystem_error error_at(const fs::path& path, int number = errno) {
  return {"textcrs", path, std::error_code(number, std::generic_category())};
}

fs::path unguessable_name(const fs::path& target) {
  uint64_t bits = 0;
  while (getrandom(&bits, sizeof bits, 0) != sizeof bits)
    if (errno != EINTR) throw error_at(target);
  return fmt::format("{}{}{:0{}x}", target.string(), kMark, bits, kDigits);
}

bool is_temporary_of(std::string_view name, std::string_view target) {
  if (name.size() != target.size() + kMark.size() + kDigits || !name.starts_with(target))
    return false;
  name.remove_prefix(target.size());
  return name.starts_with(kMark) &&
         name.substr(kMark.size()).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

int open_locally(const fs::path& path, int flags) {
  return open(path.c_str(), flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
}

// Whether the open file is still the one at `path`.
bool is_at(int fd, const fs::path& path) {
  struct stat opened {
  }, there{};
  return fstat(fd, &opened) == 0 && lstat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

// Creates the file or folder and opens it: -1 if another has the name, or took it away again.
int create(const fs::path& path, Temporary::Kind kind) {
  const bool folder = kind == Temporary::Kind::kFolder;
  if (folder && mkdir(path.c_str(), 0700) != 0) {
    if (errno == EEXIST) return -1;
    throw error_at(path);
  }
  const int fd = open_locally(path, folder ? O_RDONLY | O_DIRECTORY : O_RDWR | O_CREAT | O_EXCL);
  if (fd < 0 && errno != (folder ? ENOENT : EEXIST)) {
    const fs::filesystem_error error = error_at(path);
    if (folder) rmdir(path.c_str());
    throw error;
  }
  return fd;
}

bool is_ours(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && info.st_uid == geteuid() &&
         (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode));
}

}  // namespace

Temporary::Temporary(const fs::path& target, Kind kind) {
  // Between its creation and its lock another process may take it for abandoned.
  while (true) {
    path_ = unguessable_name(target);
    fd_ = create(path_, kind);
    if (fd_ < 0) continue;
    // A file system without locks: then it is never taken for abandoned, either.
    const bool others = flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!others && is_at(fd_, path_)) return;
    close(fd_);
  }
}

Temporary::~Temporary() {
  std::error_code ignored;
  if (is_at(fd_, path_)) fs::remove_all(path_, ignored);
  close(fd_);
}

void remove_abandoned(const fs::path& target, const std::function<void(const fs::path&)>& visit) {
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  std::error_code ignored;
  std::vector<fs::path> found;  // a listing does not go well with changes
  for (fs::directory_iterator at(folder, ignored), end; !ignored && at != end;
       at.increment(ignored))
    if (is_temporary_of(at->path().filename().string(), target.filename().string()))
      found.push_back(at->path());
  for (const fs::path& path : found) {
    const int fd = open_locally(path, O_RDONLY);
    if (fd < 0) continue;
    if (is_ours(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_at(fd, path)) {
      visit(path);
      fs::remove_all(path, ignored);
    }
    close(fd);
  }
}

void sync_to_disk(int descriptor, const fs::path& path) {
  while (fsync(descriptor) != 0) {
    if (errno == EINTR) continue;
    if (errno == EINVAL) return;  // nothing there that could be synchronized
    throw error_at(path);
  }
}

void sync_to_disk(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) throw error_at(path);
  try {
    sync_to_disk(fd, path);
  } catch (...) {
    close(fd);
    throw;
  }
  close(fd);
}

void create_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path at = folder; !at.empty() && !fs::exists(at); at = at.parent_path())
    missing.push_back(at);
  std::reverse(missing.begin(), missing.end());
  for (const fs::path& path : missing) {
    if (!path.has_filename()) continue;  // "folder/" is "folder"
    fs::create_directory(path);
    sync_to_disk(path.has_parent_path() ? path.parent_path() : fs::path("."));
  }
}

}  // namespace textcrs
