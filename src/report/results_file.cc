#include "textcrs/report/results_file.h"

#include <fmt/format.h>

#include <utility>

#include "report/line_file.h"

namespace textcrs {

namespace fs = std::filesystem;

OtherRun::OtherRun(fs::path file, std::string setting, std::string before, std::string now)
    : Error(ErrorKind::kUsage,
            fmt::format("{}: holds the results of another run ({} was {}, now {}); choose another "
                        "folder, or start anew",
                        file.string(), setting, before, now)),
      file_(std::move(file)),
      setting_(std::move(setting)),
      before_(std::move(before)),
      now_(std::move(now)) {}

OtherVersion::OtherVersion(const fs::path& file, const std::string& before, const std::string& now)
    : OtherVersion(fmt::format("{}: holds results of {}, and this is version {}", file.string(),
                               before.empty() ? "a version before 0.2.0" : "version " + before,
                               now)) {}

OtherVersion::OtherVersion(std::string problem)
    : Error(ErrorKind::kUsage,
            problem + "; finish them with that version, choose another folder, or start anew"),
      problem_(std::move(problem)) {}

ResultsFile::ResultsFile(const fs::path& folder, const std::vector<Setting>& settings,
                         const std::string& version, Start start)
    : file_(std::make_unique<LineFile>(folder, settings, version, start)) {
  file_->open_after(file_->exists() ? read(version) : 0);
}

ResultsFile::~ResultsFile() = default;

const fs::path& ResultsFile::path() const { return file_->path(); }

size_t ResultsFile::read(const std::string& version) {
  auto lines = read_lines(file_->path(), parse_record);
  for (const Record& record : lines.records) {
    if (record.version != version) throw OtherVersion(file_->path(), record.version, version);
    ids_.insert(record.id);
  }
  records_ = std::move(lines.records);
  return lines.bytes;
}

void ResultsFile::append(const Record& record) {
  file_->append(to_json(record));
  ids_.insert(record.id);
  records_.push_back(record);
}

void ResultsFile::sync() { file_->sync(); }

}  // namespace textcrs
