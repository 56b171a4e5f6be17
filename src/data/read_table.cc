#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "data/columns.h"
#include "data/csv.h"
#include "data/labels.h"
#include "data/readers.h"
#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {
namespace {

using Row = std::vector<std::string>;

// Rows of tab-separated values: no quotes, one row per line.
class TsvReader {
 public:
  TsvReader(const std::filesystem::path&, std::string_view text) : lines_(text) {}

  bool next(Row& fields) {
    std::string_view line;
    do {
      if (!lines_.next(line)) return false;
    } while (line.empty());
    fields.clear();
    for (size_t at = 0; at <= line.size();) {
      const size_t end = std::min(line.find('\t', at), line.size());
      fields.emplace_back(line.substr(at, end - at));
      at = end + 1;
    }
    return true;
  }
  size_t line() const { return lines_.number(); }

 private:
  LineReader lines_;
};

std::optional<size_t> find_column(const Row& header, std::string_view name,
                                  const std::filesystem::path& path, size_t line) {
  std::optional<size_t> found;
  for (size_t i = 0; i < header.size(); ++i) {
    if (trim(header[i]) != name) continue;
    if (found)
      throw bad_line(path, line,
                     fmt::format("found two columns named {}, expected one", in_quotes(name)));
    found = i;
  }
  return found;
}

size_t require_column(const Row& header, std::string_view name, const std::filesystem::path& path,
                      size_t line) {
  if (const auto column = find_column(header, name, path, line)) return *column;
  throw bad_line(
      path, line,
      fmt::format("found the columns {}, expected one named {}",
                  in_quotes(fmt::format("{}", fmt::join(header, ", "))), in_quotes(name)));
}

std::optional<size_t> find_id_column(const Row& header, const ReadOptions& source, size_t line) {
  if (source.id_column.empty()) return std::nullopt;
  if (id_is_required(source)) return require_column(header, source.id_column, source.path, line);
  return find_column(header, source.id_column, source.path, line);
}

template <typename Reader>
Dataset read_table(const ReadOptions& options, std::string_view extension) {
  ReadOptions source = options;
  source.path = split_file(options.path, options.split, extension);
  const std::string text = read_text_file(source.path);
  Reader rows(source.path, text);
  Row header, row;
  rows.next(header);
  std::vector<size_t> text_columns;
  for (const std::string& name : text_column_names(options))
    text_columns.push_back(require_column(header, name, source.path, rows.line()));
  auto label_column = find_column(header, options.label_column, source.path, rows.line());
  if (label_is_required(options))
    label_column = require_column(header, options.label_column, source.path, rows.line());
  const auto id_column = find_id_column(header, source, rows.line());

  Dataset dataset{name_of(options.path), options.classes, {}};
  std::vector<WrittenLabel> labels;
  while (rows.next(row)) {
    if (row.size() != header.size())
      throw bad_line(
          source.path, rows.line(),
          fmt::format("found {} column{}, expected {} ({})", row.size(), row.size() == 1 ? "" : "s",
                      header.size(), fmt::join(header, ", ")));
    std::string words;
    for (const size_t column : text_columns) {
      if (!words.empty()) words += ' ';
      words += row[column];
    }
    dataset.examples.push_back(
        {static_cast<uint32_t>(dataset.examples.size()), std::move(words), kNoLabel});
    if (id_column) dataset.examples.back().key = key_of(row[*id_column]);
    if (label_column) labels.push_back({row[*label_column], rows.line()});
  }
  if (label_column) assign_labels(dataset, labels, source);
  return dataset;
}

}  // namespace

Dataset read_csv(const ReadOptions& options) { return read_table<CsvReader>(options, ".csv"); }
Dataset read_tsv(const ReadOptions& options) { return read_table<TsvReader>(options, ".tsv"); }

}  // namespace textcrs
