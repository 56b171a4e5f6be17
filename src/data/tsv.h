// Rows of tab-separated values: no quotes, one row per line. Blank lines are skipped.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/csv.h"
#include "text/text_file.h"

namespace textcrs {

class TsvReader {
 public:
  // `path` is for messages; `text` must outlive the reader.
  TsvReader(const std::filesystem::path& path, std::string_view text) : path_(path), lines_(text) {}

  bool next(std::vector<std::string>& fields) {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (line.empty());
    fields.clear();
    for (size_t at = 0; at <= line.size();) {
      const size_t end = std::min(line.find('\t', at), line.size());
      fields.emplace_back(line.substr(at, end - at));
      check_columns(fields.size(), path_, lines_.number());
      at = end + 1;
    }
    return true;
  }
  size_t line() const { return lines_.number(); }

 private:
  std::filesystem::path path_;
  LineReader lines_;
};

}  // namespace textcrs
