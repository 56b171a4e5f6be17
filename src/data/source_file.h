// A file of texts as the readers want it: read once, unpacked, checked.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace textcrs {

struct SourceFile {
  std::filesystem::path path;
  std::string text;     // UTF-8 without NUL and byte order mark, not blank
  bool packed = false;  // it was unpacked from what gzip made
};

// A bad_input Error for a file that can not be read or unpacked, is no UTF-8 text or is empty.
SourceFile open_source(const std::filesystem::path& path);

// "reviews.csv" of "folder/reviews.csv.gz"
std::filesystem::path name_without_gz(const std::filesystem::path& path);

// A data set's name: the stem of its file, or its folder's name.
std::string name_of(const std::filesystem::path& path);

}  // namespace textcrs
