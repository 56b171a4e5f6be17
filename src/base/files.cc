#include "textcrs/base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

#include "base/temporary.h"
#include "base/write_whole.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

constexpr const char* kProbe = "textcrs";
constexpr const char* kNew = "new";  // in the temporary folder: what it becomes
constexpr const char* kOld = "old";  // and what stood there, where two renames are needed

// "model/" names the folder "model".
fs::path without_slash(const fs::path& folder) {
  return folder.has_filename() ? folder : folder.parent_path();
}

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// One that may have no end: no terminal, where somebody types.
bool is_device(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  if (!fs::is_block_file(status) && !fs::is_character_file(status)) return false;
  const int fd = open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC);
  const bool terminal = fd >= 0 && isatty(fd) == 1;
  if (fd >= 0) close(fd);
  return !terminal;
}

// Swaps two paths atomically; false if the system can not.
bool exchange(const fs::path& a, const fs::path& b) {
  if (renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP) return false;
  throw fs::filesystem_error("exchange", a, b, std::error_code(errno, std::generic_category()));
}

void sync_tree(const fs::path& folder) {
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.symlink_status().type() == fs::file_type::regular ||
        entry.symlink_status().type() == fs::file_type::directory)
      sync_to_disk(entry.path());
  sync_to_disk(folder);
}

// Writes to `temporary`, syncs it and renames it to `path`.
void write_and_rename(const Temporary& temporary, const fs::path& path,
                      const std::function<void(std::ostream&)>& write) {
  std::ofstream out(temporary.path(), std::ios::binary);
  errno = 0;
  write(out);
  out.close();
  if (!out)
    throw failed(fmt::format("{}: cannot be written{}", path.string(),
                             errno == 0 ? "" : fmt::format(" ({})", std::strerror(errno))));
  sync_to_disk(temporary.descriptor(), path);
  fs::rename(temporary.path(), path);
  sync_to_disk(folder_of(path));
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  if (is_device(path))
    throw bad_input(fmt::format("{}: cannot be read (it is a device)", path.string()));
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in || folder)
    throw bad_input(fmt::format("{}: cannot be read ({})", path.string(),
                                folder ? "it is a folder" : std::strerror(errno)));
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
  try {
    create_folders(folder_of(path));
    remove_leftovers(path);
    write_and_rename(Temporary(path, Temporary::Kind::kFile), path, write);
  } catch (const fs::filesystem_error& error) {
    throw failed(fmt::format("{}: cannot be written ({})", path.string(), error.code().message()));
  }
}

void write_folder_atomically(const fs::path& folder,
                             const std::function<void(const fs::path&)>& fill) {
  const fs::path target = without_slash(folder);
  try {
    create_folders(folder_of(target));
    remove_leftovers(target);
    const Temporary temporary(target, Temporary::Kind::kFolder);
    const fs::path filled = temporary.path() / kNew;
    fs::create_directory(filled);
    fill(filled);
    sync_tree(filled);
    // Swapping the two folders is one step; where the file system can not, the old one steps aside.
    if (!fs::exists(fs::symlink_status(target))) {
      fs::rename(filled, target);
    } else if (!exchange(filled, target)) {
      fs::rename(target, temporary.path() / kOld);
      fs::rename(filled, target);
    }
    sync_to_disk(folder_of(target));
  } catch (const fs::filesystem_error& error) {
    throw failed(
        fmt::format("{}: cannot be written ({})", folder.string(), error.code().message()));
  }
}

void remove_leftovers(const fs::path& path) {
  const fs::path target = without_slash(path);
  remove_abandoned(target, [&](const fs::path& leftover) {
    std::error_code ignored;  // then it is somebody else's
    const bool between = fs::exists(fs::symlink_status(leftover / kOld, ignored)) &&
                         !fs::exists(fs::symlink_status(target, ignored));
    if (between) fs::rename(leftover / kNew, target, ignored);
  });
}

void remove_folder_atomically(const fs::path& folder) {
  const fs::path target = without_slash(folder);
  remove_leftovers(target);
  if (!fs::exists(fs::symlink_status(target))) return;
  try {
    const Temporary temporary(target, Temporary::Kind::kFolder);
    fs::rename(target, temporary.path() / kNew);
    sync_to_disk(folder_of(target));
  } catch (const fs::filesystem_error& error) {
    throw failed(
        fmt::format("{}: cannot be removed ({})", folder.string(), error.code().message()));
  }
}

void check_can_write(const fs::path& folder) {
  std::error_code ignored;
  fs::path there = fs::absolute(folder);
  while (!fs::exists(there, ignored) && there.has_relative_path()) there = there.parent_path();
  int error = 0;
  try {
    remove_leftovers(there / kProbe);
    const Temporary probe(there / kProbe, Temporary::Kind::kFile);
    const std::string content(4096, '\0');  // a full disk may still take an empty file
    if (!write_whole(probe.descriptor(), content)) error = errno;
    if (error == 0) sync_to_disk(probe.descriptor(), probe.path());
  } catch (const fs::filesystem_error& made) {
    error = made.code().value();
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
