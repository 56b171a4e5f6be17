// The file of a judge's answers: lines of
//   {"key":"0123456789abcdef0123456789abcdef","said":"Yes."}
// that are only ever appended, each with one write(). The key is judge_key()'s. Beside it, as long
// as it is open, stands FILE.lock.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

#include "textcrs/attack/judge.h"
#include "textcrs/base/file_lock.h"

namespace textcrs {

// 32 hexadecimal digits of a SHA-512 of all that an answer depends on. `url` holds no password.
std::string judge_key(std::string_view url, const JudgeOptions& options, std::string_view original,
                      std::string_view edited);

// Not thread-safe.
class Judge::Cache {
 public:
  // Creates the file and the folders above it where they are missing, and cuts off the start of a
  // line at the end, which a killed process leaves. Throws as FileLock does, and a bad_input Error
  // "FILE:LINE: ..." for what is no line of a cache.
  explicit Cache(const std::filesystem::path& path);
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  const std::string* find(const std::string& key) const;
  // Writes a line and returns what was said; the older answer if there is one. A failed Error
  // leaves the file as it was.
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
