#include <fmt/format.h>
#include <simdjson.h>

#include "data/column_names.h"
#include "data/json_array.h"
#include "data/labels.h"
#include "data/readers.h"
#include "text/text_file.h"
#include "text/utf8.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

namespace dom = simdjson::dom;
using Role = MissingColumn::Role;

// The lines that are not blank, as JsonArray has its objects.
class JsonLines {
 public:
  JsonLines(const std::filesystem::path&, std::string_view text) : lines_(text) {}
  bool next(std::string_view& line) {
    while (lines_.next(line))
      if (!is_blank(line)) return true;
    return false;
  }
  size_t line() const { return lines_.number(); }

 private:
  LineReader lines_;
};

// One object and where it stands.
class JsonEntry {
 public:
  JsonEntry(const dom::object& object, const std::filesystem::path& path, size_t line)
      : object_(object), path_(path), line_(line) {}

  std::string text(const std::vector<std::string>& keys) const {
    std::string words;
    for (const std::string& key : keys) {
      const auto value = find(Role::kText, key);
      if (!value) throw missing_column(this->keys(), wanted(Role::kText, key));
      std::string_view part;
      if (value->get(part) != simdjson::SUCCESS)
        throw bad_line(
            path_, line_,
            fmt::format("found no string for the key {}, expected the text", in_quotes(key)));
      if (part.find('\0') != part.npos)
        throw bad_line(path_, line_, "found a NUL character, expected text");
      if (!words.empty()) words += ' ';
      words += part;
    }
    return words;
  }

  std::optional<std::string> label(const std::string& key) const {
    const auto value = find(Role::kLabel, key);
    if (!value) return std::nullopt;
    return written(*value, key, "a label");
  }

  // A value of the key "id" that nobody asked for may be anything.
  std::optional<std::string> id(const ReadOptions& options) const {
    const std::string& key = options.id_column;
    if (id_is_asked_for(options)) {
      const auto value = find(Role::kId, key);
      if (!value) throw missing_column(keys(), wanted(Role::kId, key));
      return key_of(written(*value, key, "an id"));
    }
    dom::element value;
    if (key.empty() || object_[key].get(value) != simdjson::SUCCESS || value.is_object() ||
        value.is_array())
      return std::nullopt;
    return key_of(written(value, key, "an id"));
  }

  MissingColumn without_label(const std::string& key) const {
    return missing_column(keys(), wanted(Role::kLabel, key));
  }

 private:
  // As it would stand in a table's cell; null is an empty one.
  std::string written(const dom::element& value, const std::string& key,
                      std::string_view expected) const {
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
        path_, line_,
        fmt::format("found no single value for the key {}, expected {}", in_quotes(key), expected));
  }

  WantedColumn wanted(Role role, const std::string& key) const {
    return {role, key, path_, line_, "key"};
  }

  std::vector<std::string> keys() const {
    std::vector<std::string> names;
    for (const auto& field : object_) names.emplace_back(field.key);
    return names;
  }

  std::optional<dom::element> find(Role role, const std::string& key) const {
    dom::element value;
    if (object_[key].get(value) == simdjson::SUCCESS) return value;
    const auto place = find_column(keys(), wanted(role, key));
    if (!place) return std::nullopt;
    auto field = object_.begin();
    for (size_t i = 0; i < *place; ++i) ++field;
    return field.value();
  }

  const dom::object& object_;
  const std::filesystem::path& path_;
  size_t line_;
};

template <typename Entries>
Dataset read_objects(const SourceFile& source, const ReadOptions& options,
                     const std::string& format) {
  const simdjson::padded_string text(source.text);
  const std::vector<std::string> keys = text_column_names(options);
  Dataset dataset{name_of(options.path), options.classes, {}};
  dataset.description =
      fmt::format("{}: text in the key {}", format, in_quotes(options.text_column));
  std::vector<WrittenLabel> labels;
  std::optional<MissingColumn> without_label;  // the first object like that
  dom::parser parser;
  Entries entries(source.path, text);
  for (std::string_view entry; entries.next(entry);) {
    dom::object object;
    // What follows the entry in the buffer serves as the padding that the parser wants.
    if (const auto error = parser.parse(entry.data(), entry.size(), false).get(object))
      throw bad_line(
          source.path, entries.line(),
          fmt::format("found malformed JSON ({}), expected an object{}",
                      simdjson::error_message(error), format == "jsonl" ? " in one line" : ""));
    const JsonEntry here(object, source.path, entries.line());
    dataset.examples.push_back({static_cast<uint32_t>(dataset.examples.size()), here.text(keys),
                                kNoLabel, here.id(options)});
    if (options.label_column.empty()) continue;
    if (auto label = here.label(options.label_column))
      labels.push_back({std::move(*label), entries.line()});
    else if (!without_label)
      without_label = here.without_label(options.label_column);
  }
  if (without_label && (label_is_asked_for(options) || !labels.empty())) throw *without_label;
  if (labels.empty()) return dataset;
  dataset.description += fmt::format(", label in the key {}", in_quotes(options.label_column));
  assign_labels(
      dataset, labels,
      {source.path, fmt::format("the key {}", in_quotes(options.label_column)), options.classes});
  return dataset;
}

}  // namespace

Dataset read_jsonl(const SourceFile& source, const ReadOptions& options) {
  return read_objects<JsonLines>(source, options, "jsonl");
}

Dataset read_json(const SourceFile& source, const ReadOptions& options) {
  return read_objects<JsonArray>(source, options, "json");
}

}  // namespace textcrs
