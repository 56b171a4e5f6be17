#include "textcrs/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "textcrs/base/error.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

// A name beside `path` that no other process uses.
fs::path temporary_name(const fs::path& path) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.tmp-{}-{}", path.string(), getpid(), counter++);
}

void flush_to_disk(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return;
  fsync(fd);
  close(fd);
}

// Swaps two paths atomically; false if the system can not.
bool exchange(const fs::path& a, const fs::path& b) {
  return renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || fs::is_directory(path))
    throw bad_input(fmt::format("{}: cannot be read ({})", path.string(),
                                fs::is_directory(path) ? "it is a folder" : std::strerror(errno)));
  std::ostringstream buffer;
  if (in.peek() != std::ifstream::traits_type::eof()) buffer << in.rdbuf();
  std::string content = std::move(buffer).str();
  if (in.bad()) throw failed(fmt::format("{}: reading failed", path.string()));
  return content;
}

MappedFile::MappedFile(const fs::path& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    throw bad_input(fmt::format("{}: cannot be read ({})", path.string(), std::strerror(errno)));
  struct stat info {};
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    close(fd);
    throw bad_input(fmt::format("{}: expected a regular file", path.string()));
  }
  size_ = static_cast<size_t>(info.st_size);
  if (size_ > 0) {
    void* address = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (address == MAP_FAILED) {
      const int error = errno;
      close(fd);
      throw failed(fmt::format("{}: cannot be mapped ({})", path.string(), std::strerror(error)));
    }
    data_ = static_cast<const std::byte*>(address);
  }
  close(fd);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_);
}

void write_file_atomically(const fs::path& path, std::string_view content) {
  write_file_atomically(path, [&](std::ostream& out) {
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  });
}

void write_file_atomically(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  const fs::path temporary = temporary_name(path);
  try {
    if (path.has_parent_path()) fs::create_directories(path.parent_path());
    std::ofstream out(temporary, std::ios::binary);
    write(out);
    out.close();
    if (!out)
      throw failed(fmt::format("{}: cannot be written ({})", path.string(), std::strerror(errno)));
    flush_to_disk(temporary);
    fs::rename(temporary, path);
  } catch (const fs::filesystem_error& error) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw failed(fmt::format("{}: cannot be written ({})", path.string(), error.code().message()));
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

void write_folder_atomically(const fs::path& folder,
                             const std::function<void(const fs::path&)>& fill) {
  const fs::path target = folder.has_filename() ? folder : folder.parent_path();
  const fs::path temporary = temporary_name(target);
  std::error_code ignored;
  try {
    fs::create_directories(temporary);
    fill(temporary);
    for (const auto& entry : fs::recursive_directory_iterator(temporary))
      if (entry.is_regular_file()) flush_to_disk(entry.path());
    // Swapping the two folders is one step; where the file system can not, the old one steps aside.
    if (fs::exists(target) && !exchange(temporary, target)) {
      const fs::path old = temporary_name(target);
      fs::rename(target, old);
      fs::rename(temporary, target);
      fs::remove_all(old, ignored);
    } else if (!fs::exists(target)) {
      fs::rename(temporary, target);
    }
    fs::remove_all(temporary, ignored);
  } catch (const fs::filesystem_error& error) {
    fs::remove_all(temporary, ignored);
    throw failed(
        fmt::format("{}: cannot be written ({})", folder.string(), error.code().message()));
  } catch (...) {
    fs::remove_all(temporary, ignored);
    throw;
  }
}

void check_can_write(const fs::path& folder) {
  std::error_code ignored;
  fs::path there = fs::absolute(folder);
  while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  const fs::path probe = temporary_name(there / "textcrs");
  const int fd = open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int error = fd < 0 ? errno : 0;
  if (fd >= 0) {
    const std::string content(4096, '\0');  // a full disk may still take an empty file
    const ssize_t written = write(fd, content.data(), content.size());
    if (written < 0 || fsync(fd) != 0)
      error = errno;
    else if (static_cast<size_t>(written) < content.size())
      error = ENOSPC;
    close(fd);
    unlink(probe.c_str());
  }
  if (error != 0)
    throw failed(fmt::format("{}: the folder cannot be written to ({})", there.string(),
                             std::strerror(error)));
}

fs::path home_folder() {
  if (const char* home = std::getenv("TEXTCRS_HOME"); home != nullptr && *home != '\0') return home;
  const char* user = std::getenv("HOME");
  if (user == nullptr || *user == '\0')
    throw failed("neither TEXTCRS_HOME nor HOME is set: set TEXTCRS_HOME to a folder for the data");
  return fs::path(user) / ".cache" / "textcrs";
}

}  // namespace textcrs
