#include <fmt/format.h>

#include <fstream>

#include "data/readers.h"
#include "text/text_file.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

constexpr size_t kPeek = 1 << 16;

// The first bytes of a file; none of a pipe, whose bytes can be read only once.
std::string opening_of(const fs::path& path) {
  if (!fs::is_regular_file(path)) return "";
  std::ifstream in(path, std::ios::binary);
  std::string bytes(kPeek, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(kPeek));
  bytes.resize(static_cast<size_t>(in.gcount()));
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.erase(0, 3);
  return bytes;
}

// AG's News has no header: its first field is a class.
bool looks_like_ag_news(std::string_view opening) {
  for (const std::string_view first : {"\"1\",", "\"2\",", "\"3\",", "\"4\",", "1,", "2,", "3,",
                                       "4,", "Class Index,", "\"Class Index\","})
    if (opening.starts_with(first)) return true;
  return false;
}

bool looks_like_sms_spam(std::string_view opening) {
  for (const std::string_view first : {"ham\t", "spam\t", "good\t", "bad\t"})
    if (opening.starts_with(first)) return true;
  return false;
}

std::string format_of_folder(const fs::path& folder, const std::string& split) {
  if (fs::is_directory(folder / split / "pos")) return "acl-imdb";
  if (fs::exists(folder / "reviews.json")) return "imdb-json";
  if (fs::exists(folder / "dataSet.txt")) return "sms-spam";
  if (fs::exists(folder / (split + ".csv")))
    return looks_like_ag_news(opening_of(folder / (split + ".csv"))) ? "ag-news" : "csv";
  for (const std::string format : {"tsv", "jsonl"})
    if (fs::exists(folder / (split + "." + format))) return format;
  throw bad_input(
      fmt::format("{}: found a folder of no known format, expected {}/pos, reviews.json, "
                  "dataSet.txt, {}.csv, {}.tsv or {}.jsonl in it",
                  folder.string(), split, split, split, split));
}

}  // namespace

std::string detect_format(const ReadOptions& options) {
  if (fs::is_directory(options.path)) return format_of_folder(options.path, options.split);
  const std::string extension = options.path.extension().string();
  const std::string opening = opening_of(options.path);
  if (extension == ".jsonl" || extension == ".ndjson") return "jsonl";
  if (extension == ".tsv") return "tsv";
  if (extension == ".csv") return looks_like_ag_news(opening) ? "ag-news" : "csv";
  if (extension == ".json") return trim(opening).starts_with('[') ? "imdb-json" : "jsonl";
  return looks_like_sms_spam(opening) ? "sms-spam" : "lines";
}

}  // namespace textcrs
