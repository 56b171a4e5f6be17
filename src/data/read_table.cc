#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/column_names.h"
#include "data/csv.h"
#include "data/labels.h"
#include "data/readers.h"
#include "data/table_columns.h"
#include "data/tsv.h"

namespace textcrs {
namespace {

template <typename Reader>
TableOpening opening_of(const SourceFile& source) {
  Reader reader(source.path, source.text);
  TableOpening opening{source.path, 0, {}};
  for (Row row; opening.rows.size() < kOpeningRows && reader.next(row);) {
    if (opening.rows.empty()) opening.line = reader.line();
    opening.rows.push_back(std::move(row));
  }
  return opening;
}

std::string expected_columns(const TableColumns& columns, const TableOpening& opening) {
  const Row& first = opening.rows[0];
  return columns.header ? fmt::format("{} ({})", first.size(), fmt::join(first, ", "))
                        : fmt::format("{} as in line {}", first.size(), opening.line);
}

// AG's News under another name.
bool may_be_ag_news(const Dataset& dataset, const TableColumns& columns) {
  return !columns.header && dataset.classes == std::vector<std::string>{"1", "2", "3", "4"};
}

template <typename Reader>
Dataset read_table(const SourceFile& source, const ReadOptions& options, std::string_view format) {
  const TableOpening opening = opening_of<Reader>(source);
  const TableColumns columns = choose_columns(opening, options);
  const Row& first = opening.rows[0];
  Dataset dataset{name_of(options.path), options.classes, {}};
  dataset.description = fmt::format("{} {}", format, columns.in_words(first));

  Reader rows(source.path, source.text);
  Row row;
  if (columns.header) rows.next(row);
  std::vector<WrittenLabel> labels;
  while (rows.next(row)) {
    if (row.size() != first.size())
      throw bad_line(source.path, rows.line(),
                     fmt::format("found {} column{}, expected {}", row.size(),
                                 row.size() == 1 ? "" : "s", expected_columns(columns, opening)));
    std::string words;
    for (const size_t column : columns.text) {
      if (!words.empty()) words += ' ';
      words += row[column];
    }
    dataset.examples.push_back(
        {static_cast<uint32_t>(dataset.examples.size()), std::move(words), kNoLabel});
    if (columns.id) dataset.examples.back().key = key_of(row[*columns.id]);
    if (columns.label) labels.push_back({row[*columns.label], rows.line()});
  }
  if (!columns.label) return dataset;
  assign_labels(dataset, labels,
                {source.path, columns.name(*columns.label, first), options.classes});
  if (may_be_ag_news(dataset, columns))
    dataset.description += "; the format ag-news has names for AG's classes";
  return dataset;
}

}  // namespace

Dataset read_csv(const SourceFile& source, const ReadOptions& options) {
  return read_table<CsvReader>(source, options, "csv");
}

Dataset read_tsv(const SourceFile& source, const ReadOptions& options) {
  return read_table<TsvReader>(source, options, "tsv");
}

}  // namespace textcrs
