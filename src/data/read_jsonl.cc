#include <fmt/format.h>
#include <simdjson.h>

#include "data/columns.h"
#include "data/labels.h"
#include "data/readers.h"
#include "text/text_file.h"
#include "text/utf8.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

namespace dom = simdjson::dom;

// A label or an id as it would stand in a table's cell; null is an empty one.
std::string written(const dom::element& value, const std::filesystem::path& path, size_t line,
                    const std::string& key, std::string_view expected) {
  switch (value.type()) {
    case dom::element_type::STRING:
      return std::string(std::string_view(value));
    case dom::element_type::INT64:
      return std::to_string(int64_t(value));
    case dom::element_type::UINT64:
      return std::to_string(uint64_t(value));
    case dom::element_type::DOUBLE:
      return shortest(double(value));
    case dom::element_type::BOOL:
      return bool(value) ? "true" : "false";
    case dom::element_type::NULL_VALUE:
      return "";
    default:
      break;
  }
  throw bad_line(
      path, line,
      fmt::format("found no single value for the key {}, expected {}", in_quotes(key), expected));
}

// A value of the key "id" that nobody asked for may be anything.
std::optional<std::string> id_of(const dom::object& object, const ReadOptions& source,
                                 size_t line) {
  const std::string& key = source.id_column;
  dom::element id;
  if (key.empty()) return std::nullopt;
  if (object[key].get(id) == simdjson::SUCCESS) {
    if (!id_is_required(source) && (id.is_object() || id.is_array())) return std::nullopt;
    return key_of(written(id, source.path, line, key, "an id"));
  }
  if (!id_is_required(source)) return std::nullopt;
  throw bad_line(source.path, line,
                 fmt::format("found no key {}, expected the id", in_quotes(key)));
}

std::string text_of(const dom::object& object, const std::vector<std::string>& keys,
                    const std::filesystem::path& path, size_t line) {
  std::string words;
  for (const std::string& key : keys) {
    std::string_view part;
    if (object[key].get(part) != simdjson::SUCCESS)
      throw bad_line(
          path, line,
          fmt::format("found no string for the key {}, expected the text", in_quotes(key)));
    if (part.find('\0') != part.npos)
      throw bad_line(path, line, "found a NUL character, expected text");
    if (!words.empty()) words += ' ';
    words += part;
  }
  return words;
}

}  // namespace

Dataset read_jsonl(const ReadOptions& options) {
  ReadOptions source = options;
  source.path = split_file(options.path, options.split, ".jsonl");
  const simdjson::padded_string text(read_text_file(source.path));
  const std::vector<std::string> keys = text_column_names(options);
  Dataset dataset{name_of(options.path), options.classes, {}};
  std::vector<WrittenLabel> labels;
  size_t first_without = 0;  // the first line without a label
  dom::parser parser;
  LineReader lines(text);
  for (std::string_view line; lines.next(line);) {
    if (is_blank(line)) continue;
    dom::object object;
    // What follows the line in the buffer serves as the padding that the parser wants.
    if (const auto error = parser.parse(line.data(), line.size(), false).get(object))
      throw bad_line(source.path, lines.number(),
                     fmt::format("found malformed JSON ({}), expected one object per line",
                                 simdjson::error_message(error)));
    dataset.examples.push_back({static_cast<uint32_t>(dataset.examples.size()),
                                text_of(object, keys, source.path, lines.number()), kNoLabel,
                                id_of(object, source, lines.number())});
    dom::element label;
    if (object[options.label_column].get(label) == simdjson::SUCCESS)
      labels.push_back(
          {written(label, source.path, lines.number(), options.label_column, "a label"),
           lines.number()});
    else if (first_without == 0)
      first_without = lines.number();
  }
  if (first_without > 0 && (label_is_required(options) || !labels.empty()))
    throw bad_line(
        source.path, first_without,
        fmt::format("found no key {}, expected the label", in_quotes(options.label_column)));
  if (!labels.empty()) assign_labels(dataset, labels, source);
  return dataset;
}

}  // namespace textcrs
