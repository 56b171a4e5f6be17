#include <fmt/format.h>
#include <simdjson.h>

#include "data/labels.h"
#include "data/readers.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr size_t kQuarter = 12500;
constexpr size_t kEntries = 4 * kQuarter;
constexpr std::string_view kEntry = "{\"t\": text, \"s\": 0 or 1}";

struct Position {
  int label;
  bool test;
  uint32_t id;  // within the split: the negatives first
};

Position position_of(size_t entry) {
  const size_t quarter = entry / kQuarter;
  const int label = quarter < 2 ? 0 : 1;
  return {label, quarter % 2 == 0,
          static_cast<uint32_t>(entry % kQuarter + (label == 1 ? kQuarter : 0))};
}

}  // namespace

Dataset read_imdb_json(const SourceFile& source, const ReadOptions& options) {
  const simdjson::padded_string text(source.text);
  const std::string file = source.path.string();
  Dataset dataset{"imdb", {"negative", "positive"}, {}};
  dataset.description = "imdb-json, split " + options.split;
  simdjson::dom::parser parser;
  simdjson::dom::array entries;
  if (const auto error = parser.parse(text).get(entries))
    throw bad_input(fmt::format("{}: found malformed JSON ({}), expected an array of {}", file,
                                simdjson::error_message(error), kEntry));
  size_t entry = 0;
  for (const simdjson::dom::element item : entries) {
    std::string_view words;
    int64_t sentiment;
    if (item["t"].get(words) || item["s"].get(sentiment))
      throw bad_input(
          fmt::format("{}: found something else as entry {}, expected {}", file, entry, kEntry));
    if (words.find('\0') != words.npos)
      throw bad_input(
          fmt::format("{}: found a NUL character in entry {}, expected text", file, entry));
    const Position position = position_of(entry);
    if (entry < kEntries && sentiment != position.label)
      throw bad_input(fmt::format("{}: found \"s\": {} in entry {}, expected {} at this place",
                                  file, sentiment, entry, position.label));
    if (position.test == (options.split == "test"))
      dataset.examples.push_back({position.id, std::string(words), position.label});
    ++entry;
  }
  if (entry != kEntries)
    throw bad_input(fmt::format("{}: found {} entries, expected {}", file, entry, kEntries));
  adopt_classes(dataset, source.path, options.classes);
  return dataset;
}

}  // namespace textcrs
