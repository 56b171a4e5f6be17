// A lock between processes that is never left behind: the kernel holds it as long as the process
// lives.
#pragma once

#include <filesystem>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// Holds a file locked (flock), with the id of the process in it; the file goes with the value.
// After a crash the file stays and the next lock takes it over.
class FileLock {
 public:
  // Creates the file and the folders above it. A usage Error that names the folder and the process
  // if another FileLock holds the file, of this process or another, and one that names the file if
  // no FileLock wrote it; a failed Error if it can not be written. A link is not followed.
  explicit FileLock(const std::filesystem::path& path);
  // The lock of another folder than the one it is in.
  FileLock(const std::filesystem::path& path, const std::filesystem::path& folder);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

}  // namespace textcrs
