// The report of a suite for people: one HTML page per data set (textcrs/page/report_page.h), of the
// certifications and attacks that are done.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/page/report_page.h"
#include "textcrs/suite/manifest.h"
#include "textcrs/suite/suite_file.h"

namespace TEXTCRS_API textcrs {

struct SuiteReport {
  std::string data;  // its name in the suite
  std::string title;
  std::vector<ReportedRun> runs;  // in the order of the suite; at least one
};

// What the pages are made of: each run named by what tells it from the others of its data set, with
// the model that made it.
std::vector<SuiteReport> plan_reports(const Suite& suite, const SuiteManifest& manifest,
                                      const std::filesystem::path& out);

// Writes OUT/report-DATA.html and returns the files. `begun` is told each name before it is made;
// may be empty.
std::vector<std::filesystem::path> write_reports(
    const std::vector<SuiteReport>& reports, const std::filesystem::path& out,
    const std::function<void(const std::string&)>& begun = {}, StopToken stop = {});

}  // namespace textcrs
