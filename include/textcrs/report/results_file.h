// The append-only results of a certification run: one JSON line per text, safe against kill -9.
//
// A folder: run.json (the version and the settings that decide the results) and results.jsonl
// (textcrs/report/record.h). A line is written by one write() and flushed; what a
// crash may leave behind is a last line without its end, which opening cuts off. Results of another
// run or another version are never added to. While a ResultsFile lives, the file `lock` keeps
// others out of the folder (textcrs/base/file_lock.h).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/error.h"
#include "textcrs/base/version.h"
#include "textcrs/certified/setting.h"
#include "textcrs/report/record.h"

namespace TEXTCRS_API textcrs {

// A folder holds the results of a run with another setting: a usage Error.
class OtherRun : public Error {
 public:
  OtherRun(std::filesystem::path file, std::string setting, std::string before, std::string now);

  const std::filesystem::path& file() const { return file_; }
  const std::string& setting() const { return setting_; }  // its name
  const std::string& before() const { return before_; }    // its value as JSON, or "missing"
  const std::string& now() const { return now_; }

 private:
  std::filesystem::path file_;
  std::string setting_, before_, now_;
};

// A folder holds results that another version made: a usage Error.
class OtherVersion : public Error {
 public:
  // An empty `before` is a version before 0.2.0.
  OtherVersion(const std::filesystem::path& file, const std::string& before,
               const std::string& now);

  // What is wrong; what() adds what can be done about it.
  const std::string& problem() const { return problem_; }

 private:
  explicit OtherVersion(std::string problem);

  std::string problem_;
};

class LineFile;  // src/report/line_file.h

class ResultsFile {
 public:
  enum class Start {
    kGoOn,  // with the results that are there
    kAnew,  // removes the results of a run from its folder, and nothing else
  };

  // Creates the folder, or goes on with what is there. Throws an OtherRun or OtherVersion if that
  // must not be, a bad_input Error for a damaged line or a second one about the same text, and a
  // usage Error that names the process if another is writing there.
  ResultsFile(const std::filesystem::path& folder, const std::vector<Setting>& settings,
              const std::string& version = std::string(textcrs::version()),
              Start start = Start::kGoOn);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  const std::filesystem::path& path() const;
  bool has(uint32_t id) const { return ids_.count(id) > 0; }
  void append(const Record& record);
  // The results are on the disk; a failed Error if they may not be.
  void sync();
  // Those that were there, in the order of the lines, then the appended ones.
  const std::vector<Record>& records() const { return records_; }

 private:
  // Takes over the records of the file's whole lines; the size of these lines.
  size_t read(const std::string& version);

  std::unique_ptr<LineFile> file_;
  std::unordered_set<uint32_t> ids_;
  std::vector<Record> records_;
};

}  // namespace textcrs
