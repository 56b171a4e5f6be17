#include "data/table_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/column_names.h"
#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {
namespace {

using Role = MissingColumn::Role;

// A column by its name, or else by its number.
size_t named_or_numbered(const Row& header, const WantedColumn& wanted) {
  if (const auto column = find_column(header, wanted)) return *column;
  const auto number = column_number(wanted.name);
  if (number && *number <= header.size()) return *number - 1;
  throw missing_column(header, wanted);
}

TableColumns columns_under_header(const TableOpening& opening, const ReadOptions& options,
                                  Header kind) {
  const Row& header = opening.rows[0];
  const auto wanted = [&](Role role, const std::string& name) {
    return WantedColumn{role, name, opening.path, opening.line, "column", kind == Header::kTaken};
  };
  TableColumns columns;
  for (const std::string& name : text_column_names(options))
    columns.text.push_back(named_or_numbered(header, wanted(Role::kText, name)));
  const WantedColumn label = wanted(Role::kLabel, options.label_column);
  if (label_is_asked_for(options))
    columns.label = named_or_numbered(header, label);
  else if (!options.label_column.empty())
    columns.label = find_column(header, label);
  columns.id = id_is_asked_for(options)
                   ? named_or_numbered(header, wanted(Role::kId, options.id_column))
                   : find_unasked_column(header, options.id_column);
  return columns;
}

}  // namespace

std::string TableColumns::name(size_t column, const Row& first) const {
  return header ? fmt::format("the column {}", in_quotes(trim(first[column])))
                : fmt::format("column {}", column + 1);
}

std::vector<size_t> TableColumns::taken() const {
  std::vector<size_t> columns = text;
  if (label) columns.push_back(*label);
  if (id) columns.push_back(*id);
  return columns;
}

std::string TableColumns::in_words(const Row& first) const {
  std::vector<std::string> texts;
  for (const size_t column : text) texts.push_back(name(column, first));
  return fmt::format("{} a header: {}{}text in {}", header ? "with" : "without",
                     id ? fmt::format("id in {}, ", name(*id, first)) : "",
                     label ? fmt::format("label in {}, ", name(*label, first)) : "",
                     fmt::join(texts, " and "));
}

TableColumns choose_columns(const TableOpening& opening, const ReadOptions& options) {
  const Header kind = judge_header(opening, options);
  return kind == Header::kNo ? guess_columns(opening, options)
                             : columns_under_header(opening, options, kind);
}

}  // namespace textcrs
