// The append-only results of a certification run: one JSON line a text, safe against kill -9.
//
// A folder: run.json (the flags that decide the results) and results.jsonl. A line is written by
// one write() and flushed; what a crash may leave behind is a last line without its end, which
// opening cuts off. Opening for another run.json is refused.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace textcrs::cli {

class ResultsFile {
 public:
  // Creates the folder, or goes on with what is there.
  ResultsFile(const std::filesystem::path& folder, const nlohmann::ordered_json& run);
  ~ResultsFile();
  ResultsFile(const ResultsFile&) = delete;
  ResultsFile& operator=(const ResultsFile&) = delete;

  bool has(uint32_t id) const { return ids_.count(id) > 0; }
  void append(const nlohmann::ordered_json& record);  // record["id"] is the text's id
  const std::vector<nlohmann::ordered_json>& records() const { return records_; }

 private:
  std::filesystem::path path_;
  int fd_ = -1;
  std::set<uint32_t> ids_;
  std::vector<nlohmann::ordered_json> records_;
};

}  // namespace textcrs::cli
