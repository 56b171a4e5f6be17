#include "textcrs/base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "base/write_whole.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

Error not_locked(const fs::path& path, int error) {
  return failed(fmt::format("{}: cannot be locked ({})", path.string(), std::strerror(error)));
}

// The first bytes of the file; it may be empty for a moment after it was locked.
std::string beginning(int fd) {
  char bytes[32];
  const ssize_t size = pread(fd, bytes, sizeof bytes, 0);
  return {bytes, size > 0 ? static_cast<size_t>(size) : 0};
}

// "process 4711"
std::string holder(int fd) {
  const std::string id = beginning(fd);
  const std::string digits = id.substr(0, id.find_first_not_of("0123456789"));
  return digits.empty() ? "another process" : "process " + digits;
}

// Whether a FileLock has written it: a number and the end of its line, or nothing yet, which a
// power cut may leave as zeros.
bool is_lock(int fd) {
  std::string id = beginning(fd);
  if (id.find_first_not_of('\0') == std::string::npos) id.clear();
  const size_t digits = id.find_first_not_of("0123456789");
  struct stat info {};
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode) &&
         (id.empty() || (digits == id.size() - 1 && digits > 0 && id[digits] == '\n'));
}

// Whether the open file is still the one at `path`: its last holder may have removed it between
// open() and flock().
bool is_at(int fd, const fs::path& path) {
  struct stat opened {
  }, there{};
  return fstat(fd, &opened) == 0 && lstat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

// Locks the file and returns it open.
int lock(const fs::path& path, const fs::path& folder) {
  while (true) {
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (fd < 0) throw not_locked(path, errno);
    const int error = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    const bool ours = is_lock(fd);
    if (ours && error == 0 && is_at(fd, path)) return fd;
    const std::string who = error == EWOULDBLOCK ? holder(fd) : "";
    close(fd);
    if (!ours)
      throw usage_error(fmt::format("{}: found a file that is no lock, expected none; move it away",
                                    path.string()));
    if (error == EWOULDBLOCK)
      throw usage_error(fmt::format(
          "{}: {} is writing there; wait for it, or choose another folder", folder.string(), who));
    if (error != 0 && error != EINTR) throw not_locked(path, error);
  }
}

}  // namespace

FileLock::FileLock(const fs::path& path) : FileLock(path, path.parent_path()) {}

FileLock::FileLock(const fs::path& path, const fs::path& folder) : path_(path) {
  if (path.has_parent_path()) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error)
      throw failed(
          fmt::format("{}: cannot be written ({})", path.parent_path().string(), error.message()));
  }
  fd_ = lock(path, folder);
  if (ftruncate(fd_, 0) == 0 && write_whole(fd_, fmt::format("{}\n", getpid()))) return;
  const int error = errno;
  unlink(path_.c_str());
  close(fd_);
  throw not_locked(path, error);
}

FileLock::~FileLock() {
  unlink(path_.c_str());  // first: once it is closed, the file may be another's
  close(fd_);
}

}  // namespace textcrs
