// The folder of a certification run (textcrs/report/results_file.h), read and left as it is.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/setting.h"
#include "textcrs/report/record.h"

namespace TEXTCRS_API textcrs {

struct RunFolder {
  std::filesystem::path folder;
  std::string version;            // of the program that made it; empty: before 0.2.0
  std::vector<Setting> settings;  // what the results depend on
  std::vector<Record> records;    // in the order of the data set; at least one
  bool complete = false;          // all texts are done

  // The value of a setting in words: "universal:p=0.9", "100000"; empty if there is none.
  std::string setting(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;  // none if it is not one
  // "imdb" of the setting "imdb 0123456789abcdef", and the hash of its texts.
  std::string data_name() const;
  std::string data_hash() const;
};

// A run that is still going on is read as far as it is. A bad_input Error for a folder that is not
// there, is not one of a run, or has no results yet, and for a damaged line.
RunFolder read_run(const std::filesystem::path& folder);

}  // namespace textcrs
