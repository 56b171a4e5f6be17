// Files that are read whole, mapped, or replaced atomically.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// The bytes of a file; a bad_input Error that names the path if it can not be read.
std::string read_file(const std::filesystem::path& path);

// A file mapped read-only into memory; unmapped when the value dies. Movable, not copyable.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  const std::byte* data_ = nullptr;
  size_t size_ = 0;
};

// Writes beside `path` into a temporary file, puts it on the disk and renames it: a reader sees the
// old file or the whole new one, and a failure leaves nothing behind. A process that is killed may
// leave a temporary file; the next writer of the path removes it.
void write_file_atomically(const std::filesystem::path& path, std::string_view content);
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(std::ostream&)>& write);

// Fills a temporary folder beside `folder` and renames it into place. What stood at `folder` is
// replaced; if `fill` throws, the temporary folder is removed and the old one stays.
void write_folder_atomically(const std::filesystem::path& folder,
                             const std::function<void(const std::filesystem::path&)>& fill);

// Removes a folder: a reader sees all of it or nothing.
void remove_folder_atomically(const std::filesystem::path& folder);

// Removes what killed processes left of such writing or removing. Where a file system needs two
// steps to replace a folder and the first was done, this does the second.
void remove_leftovers(const std::filesystem::path& path);

// A failed Error that names the folder unless a file of a few kilobytes can be written there; that
// file is removed again. For a folder that does not exist it is the nearest one above it that does.
void check_can_write(const std::filesystem::path& folder);

// $TEXTCRS_HOME, or ~/.cache/textcrs: downloads, caches and default outputs live here.
std::filesystem::path home_folder();

}  // namespace textcrs
