// Folders of runs with records by hand.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/run_file.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"
#include "textcrs/report/results_file.h"
#include "textcrs/report/summary.h"

namespace textcrs {

// A text of ten words, answered with `prediction` by `votes` of 1000 copies, with these radii.
struct MadeText {
  std::optional<std::string> label = "pos";
  std::string prediction = "pos";
  double edits = 0;
  int64_t votes = 900;
  double pa = 0.875;
  bool abstained = false;
  std::optional<std::string> text = std::nullopt;
  std::optional<std::string> key = std::nullopt;
};

// Two classes, "neg" and "pos".
inline Record made_record(uint32_t id, const MadeText& made) {
  Record record;
  record.id = id;
  record.key = made.key;
  record.label = made.label;
  record.prediction = made.prediction;
  record.words = 10;
  record.text = made.text;
  record.seconds = 0.25;
  record.version = std::string(version());
  Certification& c = record.certification;
  const int64_t others = 1000 - made.votes;
  c.counts = made.prediction == "neg" ? Votes{made.votes, others} : Votes{others, made.votes};
  c.bounds = {made.pa, 1 - made.pa};
  c.samples = 1100;
  c.abstained = made.abstained;
  if (made.abstained) return record;
  c.sound.certified = true;
  c.sound.guarantees = {{Operation::kDeletion, kUnitWords, 2 * made.edits},
                        {Operation::kEdit, kUnitWords, made.edits}};
  return record;
}

inline std::vector<Record> made_records(const std::vector<MadeText>& texts) {
  std::vector<Record> records;
  for (const MadeText& text : texts)
    records.push_back(made_record(static_cast<uint32_t>(records.size()), text));
  return records;
}

inline std::vector<Setting> smoothed_settings() {
  return {{"model", std::string("0123456789abcdef")},
          {"noise", std::string("universal:p=0.9")},
          {"split", std::string("test")},
          {"samples", uint64_t{1000}},
          {"selection_samples", uint64_t{100}},
          {"alpha", 0.001},
          {"bounds", std::string("complement")},
          {"stop", std::string("never")},
          {"stop_at_radius", std::monostate()},
          {"seed", uint64_t{1}},
          {"device", std::string("cpu")},
          {"engine", std::string("cpu fp32")},
          {"architecture", std::string("bilstm")},
          {"data", std::string("films 0123456789abcdef")}};
}

inline std::vector<Setting> with(std::vector<Setting> settings, const Setting& other) {
  for (Setting& setting : settings)
    if (setting.name == other.name) {
      setting = other;
      return settings;
    }
  settings.push_back(other);
  return settings;
}

// Without a summary, as of a run that goes on, where there are no classes.
inline std::filesystem::path write_run(const std::filesystem::path& folder,
                                       const std::vector<Record>& records,
                                       const std::vector<std::string>& classes = {"neg", "pos"},
                                       const std::vector<Setting>& settings = smoothed_settings()) {
  ResultsFile results(folder, settings);
  for (const Record& record : records) results.append(record);
  if (!classes.empty())
    write_file_atomically(folder / kSummaryFile, to_json(summarize(records, classes)));
  return folder;
}

}  // namespace textcrs
