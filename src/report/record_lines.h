// The records of results.jsonl.
#pragma once

#include <filesystem>
#include <vector>

#include "textcrs/report/record.h"

namespace textcrs {

struct RecordLines {
  std::vector<Record> records;
  size_t bytes = 0;  // of the lines; a last line without its end is not read
};

// A bad_input Error names a damaged line, and a second record of the same text.
RecordLines read_record_lines(const std::filesystem::path& path);

}  // namespace textcrs
