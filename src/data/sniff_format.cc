#include "data/sniff_format.h"

#include <simdjson.h>

#include <algorithm>
#include <vector>

#include "data/ascii_case.h"
#include "data/csv.h"
#include "data/fasttext_label.h"
#include "data/json_array.h"
#include "text/text_file.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr size_t kRows = 1000;  // that are looked at

// "ag-news" of "AG_News"
std::string plain_name(const fs::path& path) {
  std::string name = lower_ascii(path.string());
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

bool is_named_ag_news(const fs::path& file) {
  for (const fs::path& part : {file.filename(), fs::absolute(file).parent_path().filename()})
    if (plain_name(part).starts_with("ag-news") || plain_name(part).starts_with("agnews"))
      return true;
  return false;
}

// Many collections have a small number first; AG's News is recognised by its name as well, or by
// the header that some copies have.
bool is_ag_news(const SourceFile& source) {
  CsvReader rows(source.path, source.text);
  std::vector<std::string> row;
  if (!rows.next(row)) return false;
  bool named = is_named_ag_news(source.path);
  if (lower_ascii(row[0]) == "class index") {
    named = true;
    if (!rows.next(row)) return false;
  }
  if (!named) return false;
  for (size_t count = 0; count < kRows; ++count) {
    if (row.size() != 2 && row.size() != 3) return false;
    if (row[0].size() != 1 || row[0][0] < '1' || row[0][0] > '4') return false;
    if (!rows.next(row)) break;
  }
  return true;
}

bool is_sms_spam(const SourceFile& source) {
  const std::string name = name_without_gz(source.path).string();
  if (name != "dataSet.txt" && !name.starts_with("SMSSpamCollection")) return false;
  for (const std::string_view first : {"ham\t", "spam\t", "good\t", "bad\t"})
    if (source.text.starts_with(first)) return true;
  return false;
}

// Objects {"t": .., "s": ..}; anything else is for the reader of arrays to judge.
bool is_imdb_json(const SourceFile& source) {
  JsonArray entries(source.path, source.text);
  std::string_view entry;
  if (!entries.next(entry)) return false;
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  const simdjson::padded_string padded(entry);
  if (parser.parse(padded).get(object) != simdjson::SUCCESS) return false;
  return object.size() == 2 && object["t"].error() == simdjson::SUCCESS &&
         object["s"].error() == simdjson::SUCCESS;
}

std::string kind_of_json(const SourceFile& source) {
  if (!trim(source.text).starts_with('[')) return "jsonl";
  return is_imdb_json(source) ? "imdb-json" : "json";
}

// Two lines or more, all with the same number of tabs.
bool has_tabs_in_every_line(std::string_view text) {
  LineReader lines(text);
  size_t count = 0;
  std::ptrdiff_t tabs = 0;
  for (std::string_view line; count < kRows && lines.next(line);) {
    if (is_blank(line)) continue;
    const auto here = std::count(line.begin(), line.end(), '\t');
    if (here == 0 || (count > 0 && here != tabs)) return false;
    tabs = here;
    ++count;
  }
  return count > 1;
}

std::string_view first_line(std::string_view text) {
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line) && is_blank(line)) {
  }
  return trim(line);
}

}  // namespace

std::string sniff_format(const SourceFile& source) {
  const std::string extension = lower_ascii(name_without_gz(source.path).extension().string());
  if (extension == ".csv") return is_ag_news(source) ? "ag-news" : "csv";
  if (extension == ".tsv") return "tsv";
  if (extension == ".json" || extension == ".jsonl" || extension == ".ndjson")
    return kind_of_json(source);
  if (is_sms_spam(source)) return "sms-spam";
  const std::string_view first = first_line(source.text);
  if (!split_fasttext_line(first).labels.empty()) return "fasttext";
  if (first.starts_with("{\"") && first.ends_with('}')) return "jsonl";
  if (has_tabs_in_every_line(source.text)) return "tsv";
  return "lines";
}

}  // namespace textcrs
