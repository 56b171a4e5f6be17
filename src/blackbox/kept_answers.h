// A file of what endpoints and programs have answered: lines of
//   {"key":"0123456789abcdef0123456789abcdef","said":"Yes."}
// that are only ever appended, each with one write(). The key is a digest_of() all that the answer
// depends on. Beside it, as long as it is open, stands FILE.lock.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <unordered_map>

#include "textcrs/base/api.h"
#include "textcrs/base/file_lock.h"

namespace TEXTCRS_API textcrs {

// Not thread-safe.
class KeptAnswers {
 public:
  // Creates the file and the folders above it where they are missing, and cuts off the start of a
  // line at the end, which a killed process leaves. Throws as FileLock does, and a bad_input Error
  // "FILE:LINE: ..." for what is no line of such a file.
  explicit KeptAnswers(const std::filesystem::path& path);
  ~KeptAnswers();
  KeptAnswers(const KeptAnswers&) = delete;
  KeptAnswers& operator=(const KeptAnswers&) = delete;

  const std::string* find(const std::string& key) const;
  // Writes a line and returns what was said; the older answer if there is one. A failed Error
  // leaves whole lines.
  const std::string& add(const std::string& key, const std::string& said);

 private:
  size_t read();  // the bytes of whole lines

  std::filesystem::path path_;
  FileLock lock_;
  std::unordered_map<std::string, std::string> answers_;
  size_t size_ = 0;
  int fd_ = -1;
  std::chrono::steady_clock::time_point synced_{};
};

}  // namespace textcrs
