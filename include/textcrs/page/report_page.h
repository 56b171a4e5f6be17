// A report on runs for people: one HTML file that asks the network for nothing, and a table of the
// texts for spreadsheets (docs/report.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"

namespace TEXTCRS_API textcrs {

struct ModelFolders {
  std::filesystem::path model;
  std::filesystem::path fallback;  // of a cascade; empty: there is none
};

struct ReportedRun {
  std::string name;              // that the report calls it by; not empty, and no other run's
  std::filesystem::path folder;  // of a certification or of an attack
  // Models that may have made it. One that has the run's fingerprint is asked how the words of the
  // examples move its votes; the others are left alone.
  std::vector<ModelFolders> models;
};

struct ReportOptions {
  std::string title;    // empty: made of the runs
  size_t examples = 4;  // per run and kind of example: the smallest and largest radii, the wrong ..
  // Of these, how many get their words coloured. None: all where the votes of words are added up,
  // which costs nothing, and none elsewhere.
  std::optional<size_t> coloured;
  uint32_t copies = 1000;  // noisy copies per word, where influence is measured
  // Sentences for readers whose run has no texts, or whose examples have no colours; empty: none.
  std::string how_to_keep_texts, how_to_colour;
};

struct ReportProgress {
  std::string run;             // its name
  size_t done = 0, texts = 0;  // examples whose words are being measured
};

// May be empty.
using ReportReporter = std::function<void(const ReportProgress&)>;

// Writes `out` atomically, whatever is there. A bad_input Error for a folder that holds no run, for
// one without results, and for a damaged file; an interrupted run is reported as far as it came. A
// usage Error for no run and for names that are used twice. When `stop` asks for it, an Error of
// kind kInterrupted, and nothing is written.
void write_report(const std::vector<ReportedRun>& runs, const ReportOptions& options,
                  const std::filesystem::path& out, const ReportReporter& report = {},
                  StopToken stop = {});

// One row per text of every certification run, as RFC 4180 has it, in UTF-8. Cells of text that a
// spreadsheet would take for a formula begin with an apostrophe. Throws as write_report() does, and
// a usage Error if a run is an attack's.
void write_texts_csv(const std::vector<ReportedRun>& runs, const std::filesystem::path& out,
                     StopToken stop = {});

}  // namespace textcrs
