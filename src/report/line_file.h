// The append-only lines of a run, one per text, safe against kill -9.
//
// A folder: run.json (the version and the settings that decide the results) and results.jsonl. A
// line is written by one write() and flushed; what a crash may leave behind is a last line without
// its end, which opening cuts off. While a LineFile lives, the file `lock` keeps others out of the
// folder (textcrs/base/file_lock.h).
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/regular_file.h"
#include "textcrs/base/error.h"
#include "textcrs/base/file_lock.h"
#include "textcrs/certified/setting.h"
#include "textcrs/report/results_file.h"

namespace textcrs {

class LineFile {
 public:
  // Creates the folder, or goes on with what is there; anew, removes the files of a run, and
  // nothing else: a usage Error if they are no run's. Throws as ResultsFile does.
  LineFile(const std::filesystem::path& folder, const std::vector<Setting>& settings,
           const std::string& version, ResultsFile::Start start);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  bool exists() const { return std::filesystem::exists(path_); }
  // Cuts off what is behind so many bytes of whole lines; before the first append(). The file is
  // opened without following a link.
  void open_after(size_t bytes);
  void append(const std::string& line);  // without its end
  // The lines are on the disk; a failed Error if they may not be. Before anything says that they
  // are all there.
  void sync();

 private:
  std::filesystem::path path_;
  std::optional<FileLock> lock_;
  int fd_ = -1;
  bool on_disk_ = true;
  std::chrono::steady_clock::time_point synced_{};
};

// The records of a file of lines, each about a text of its own.
template <typename Record>
struct RecordLines {
  std::vector<Record> records;
  size_t bytes = 0;  // of the lines; a last line without its end is not read
};

// `parse` makes a record with an `id` of a line. A bad_input Error names a damaged line, and a
// second record of the same text.
template <typename Record>
RecordLines<Record> read_lines(const std::filesystem::path& path,
                               Record (*parse)(std::string_view line)) {
  const std::string content = read_regular_file(path);
  RecordLines<Record> lines;
  std::unordered_set<uint32_t> ids;
  for (size_t end; (end = content.find('\n', lines.bytes)) != std::string::npos;
       lines.bytes = end + 1) {
    const size_t number = lines.records.size() + 1;
    try {
      lines.records.push_back(
          parse(std::string_view(content).substr(lines.bytes, end - lines.bytes)));
    } catch (const Error& error) {
      throw bad_input(fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
    const uint32_t id = lines.records.back().id;
    if (!ids.insert(id).second)
      throw bad_input(fmt::format("{}:{}: found a second result of the text {}, expected one",
                                  path.string(), number, id));
  }
  return lines;
}

}  // namespace textcrs
