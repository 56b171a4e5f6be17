// run.json: {"version": "0.2.0", "model": "..", "samples": 3000, ...}
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "textcrs/certified/setting.h"

namespace textcrs {

void write_run_file(const std::filesystem::path& path, const std::vector<Setting>& settings,
                    const std::string& version);

// Throws an OtherVersion or an OtherRun (textcrs/report/results_file.h) unless the file holds
// these.
void check_run_file(const std::filesystem::path& path, const std::vector<Setting>& settings,
                    const std::string& version);

}  // namespace textcrs
