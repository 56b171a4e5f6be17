// Temporary files and folders beside what they become, and what killed processes leave of them.
//
// A name is TARGET.tmp- and 16 hexadecimal digits that nobody can guess; it is made exclusively and
// held locked (flock) while its process lives. So an unlocked one of ours is nobody's any more.
#pragma once

#include <filesystem>
#include <functional>

namespace textcrs {

// A new, empty file or folder beside `target`. It goes with the value, unless it was renamed.
class Temporary {
 public:
  enum class Kind { kFile, kFolder };  // a folder is open to its owner alone
  // A std::filesystem::filesystem_error if it can not be made.
  Temporary(const std::filesystem::path& target, Kind kind);
  ~Temporary();
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  const std::filesystem::path& path() const { return path_; }
  int descriptor() const { return fd_; }

 private:
  std::filesystem::path path_;
  int fd_ = -1;
};

// Removes the temporaries of `target` whose process is gone, each after `visit` saw its path. What
// can not be locked or removed is left.
void remove_abandoned(const std::filesystem::path& target,
                      const std::function<void(const std::filesystem::path&)>& visit);

// Its bytes, or a folder's entries, are on the disk; a filesystem_error if they may not be.
void sync_to_disk(int descriptor, const std::filesystem::path& path);
void sync_to_disk(const std::filesystem::path& path);

// Creates the folders that are missing, each on the disk in the one above it.
void create_folders(const std::filesystem::path& folder);

}  // namespace textcrs
