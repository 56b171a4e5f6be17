#include "textcrs/base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

Error not_locked(const fs::path& path, int error) {
  return failed(fmt::format("{}: cannot be locked ({})", path.string(), std::strerror(error)));
}

// "process 4711" as the file has it; it may be empty for a moment after it was locked.
std::string holder(int fd) {
  char digits[32];
  const ssize_t size = pread(fd, digits, sizeof digits, 0);
  std::string id(digits, size > 0 ? static_cast<size_t>(size) : 0);
  id.erase(std::min(id.find('\n'), id.size()));
  return id.empty() ? "another process" : "process " + id;
}

// Whether the open file is still the one at `path`: its last holder may have removed it between
// open() and flock().
bool is_at(int fd, const fs::path& path) {
  struct stat opened {
  }, there{};
  return fstat(fd, &opened) == 0 && stat(path.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

// Locks the file and returns it open.
int lock(const fs::path& path) {
  while (true) {
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (fd < 0) throw not_locked(path, errno);
    const int error = flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    if (error == 0 && is_at(fd, path)) return fd;
    const std::string who = error == EWOULDBLOCK ? holder(fd) : "";
    close(fd);
    if (error == EWOULDBLOCK)
      throw usage_error(
          fmt::format("{}: {} is writing there; wait for it, or choose another folder",
                      path.parent_path().string(), who));
    if (error != 0 && error != EINTR) throw not_locked(path, error);
  }
}

}  // namespace

FileLock::FileLock(const fs::path& path) : path_(path) {
  if (path.has_parent_path()) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error)
      throw failed(
          fmt::format("{}: cannot be written ({})", path.parent_path().string(), error.message()));
  }
  fd_ = lock(path);
  const std::string id = fmt::format("{}\n", getpid());
  if (ftruncate(fd_, 0) == 0 &&
      pwrite(fd_, id.data(), id.size(), 0) == static_cast<ssize_t>(id.size()))
    return;
  const int error = errno;
  close(fd_);
  throw not_locked(path, error);
}

FileLock::~FileLock() {
  unlink(path_.c_str());  // first: once it is closed, the file may be another's
  close(fd_);
}

}  // namespace textcrs
