// The files of a run's folder, and run.json: {"version": "0.2.0", "model": "..", "samples": 3000,
// ...}
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/certified/setting.h"

namespace textcrs {

constexpr const char* kRunFile = "run.json";
constexpr const char* kResultsFile = "results.jsonl";
constexpr const char* kSummaryFile = "summary.json";  // once all texts are done

void write_run_file(const std::filesystem::path& path, const std::vector<Setting>& settings,
                    const std::string& version);

// Throws an OtherVersion or an OtherRun (textcrs/report/results_file.h) unless the file holds
// these.
void check_run_file(const std::filesystem::path& path, const std::vector<Setting>& settings,
                    const std::string& version);

struct RunSettings {
  std::string version;  // empty: before 0.2.0
  std::vector<Setting> settings;
};

// A bad_input Error for anything but an object of numbers, texts and nulls.
RunSettings read_run_file(const std::filesystem::path& path);

}  // namespace textcrs
