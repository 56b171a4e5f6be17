#include "textcrs/suite/published.h"

#include <fmt/format.h>

#include <algorithm>

#include "suite/toml_reader.h"
#include "textcrs/base/counted.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostKeys = 3;
constexpr uint64_t kMostDecimals = 6;
constexpr const char* kNone = "-";

// ["AG", "LSTM", "low", 86.4, "-", ..]: the keys, then a number or "-" per column.
PublishedTable::Row read_row(const TomlTable& table, const toml::node& node, size_t columns,
                             size_t keys) {
  const int line = line_of(node);
  const toml::array* const list = node.as_array();
  if (list == nullptr || list->size() != keys + columns)
    table.fail(line, fmt::format("[[table]]: found a row that is no list of {} and {}, as the "
                                 "first one is",
                                 counted(keys, "name"), counted(columns, "number")));
  PublishedTable::Row row;
  std::string* const places[kMostKeys] = {&row.key.data, &row.key.model, &row.key.level};
  for (size_t i = 0; i < list->size(); ++i) {
    const toml::node& entry = (*list)[i];
    const auto text = entry.value_exact<std::string>();
    if (i < keys) {
      if (!text) table.fail(line, "[[table]]: found a row without its names in front");
      *places[i] = *text;
    } else if (text == kNone) {
      row.numbers.emplace_back();
    } else if (entry.is_number()) {
      row.numbers.push_back(entry.value<double>());
    } else {
      table.fail(line, "[[table]]: found a row with something else than numbers and \"-\"");
    }
  }
  return row;
}

bool same(const PublishedKey& a, const PublishedKey& b) {
  return a.data == b.data && a.model == b.model && a.level == b.level;
}

PublishedTable read_table(TomlTable& toml) {
  PublishedTable table;
  table.name = toml.required_text("name");
  table.method = toml.text("method");
  table.title = toml.required_text("title");
  table.note = toml.text("note");
  const uint64_t decimals = toml.whole("decimals").value_or(1);
  if (decimals > kMostDecimals)
    toml.fail(toml.line(), fmt::format("[[table]]: found {} decimals, expected at most {}",
                                       decimals, kMostDecimals));
  table.decimals = static_cast<int>(decimals);
  table.columns = toml.texts("columns");
  const toml::array* const rows = toml.list("rows");
  toml.expect_no_more();
  if (table.columns.empty() || rows == nullptr || rows->empty())
    toml.fail(toml.line(), "[[table]]: found no 'columns' or no 'rows', expected lists");
  const toml::array* const first = rows->front().as_array();
  const size_t size = first == nullptr ? 0 : first->size();
  if (size <= table.columns.size() || size > table.columns.size() + kMostKeys)
    toml.fail(line_of(rows->front()),
              fmt::format("[[table]]: found a row that is no list of 1 to {} names and {}",
                          kMostKeys, counted(table.columns.size(), "number")));
  table.keys = size - table.columns.size();
  for (const toml::node& entry : *rows) {
    table.rows.push_back(read_row(toml, entry, table.columns.size(), table.keys));
    const auto twin = std::find_if(
        table.rows.begin(), table.rows.end() - 1,
        [&](const PublishedTable::Row& row) { return same(row.key, table.rows.back().key); });
    if (twin != table.rows.end() - 1)
      toml.fail(line_of(entry), "[[table]]: found a second row of the same names");
  }
  return table;
}

}  // namespace

std::optional<double> PublishedTable::find(const PublishedKey& key, std::string_view column) const {
  const auto place = std::find(columns.begin(), columns.end(), column);
  if (place == columns.end()) return std::nullopt;
  PublishedKey known = key;
  if (keys < 3) known.level.clear();
  if (keys < 2) known.model.clear();
  for (const Row& row : rows)
    if (same(row.key, known)) return row.numbers[static_cast<size_t>(place - columns.begin())];
  return std::nullopt;
}

const PublishedTable* PublishedNumbers::find(std::string_view name, std::string_view method) const {
  for (const PublishedTable& table : tables)
    if (table.name == name && table.method == method) return &table;
  return nullptr;
}

PublishedNumbers read_published(const fs::path& file) {
  const toml::table parsed = parse_toml(file);
  TomlTable root(parsed, file, "the published numbers");
  PublishedNumbers numbers;
  numbers.paper = root.required_text("paper");
  for (TomlTable& toml : root.tables("table")) {
    PublishedTable table = read_table(toml);
    if (numbers.find(table.name, table.method) != nullptr)
      toml.fail(toml.line(),
                fmt::format("[[table]]: the name '{}'{} is taken", table.name,
                            table.method.empty() ? "" : " of the method '" + table.method + "'"));
    numbers.tables.push_back(std::move(table));
  }
  root.expect_no_more();
  return numbers;
}

}  // namespace textcrs
