#include <algorithm>
#include <charconv>

#include "data/ascii_case.h"
#include "data/column_names.h"
#include "data/table_columns.h"
#include "text/text_file.h"

namespace textcrs {
namespace {

// What columns of texts and labels are usually called, and texts and classes usually not.
constexpr std::string_view kUsualNames[] = {
    "text",   "label",    "class",   "category", "sentence",  "review", "message",
    "title",  "content",  "comment", "tweet",    "sentiment", "target", "description",
    "labels", "document", "id",      "index",    "sms",       "body"};

bool is_number(std::string_view cell) {
  double number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  return error == std::errc() && end == cell.data() + cell.size();
}

bool has_name(const Row& row, std::string_view name) {
  return std::any_of(row.begin(), row.end(), [name = lower_ascii(name)](const std::string& cell) {
    return lower_ascii(trim(cell)) == name;
  });
}

// Another row has a cell of the first row in the same column, and is not the first row again.
bool cell_comes_again(const std::vector<Row>& rows) {
  const Row& first = rows[0];
  for (size_t i = 1; i < rows.size(); ++i) {
    if (rows[i] == first) continue;
    for (size_t c = 0; c < std::min(first.size(), rows[i].size()); ++c)
      if (rows[i][c] == first[c] && !is_blank(first[c])) return true;
  }
  return false;
}

bool names_a_class(const Row& row, const std::vector<std::string>& classes) {
  return std::any_of(classes.begin(), classes.end(),
                     [&](const std::string& name) { return has_name(row, name); });
}

bool is_usual_name(std::string_view cell) {
  return std::any_of(std::begin(kUsualNames), std::end(kUsualNames),
                     [cell = lower_ascii(trim(cell))](auto name) { return name == cell; });
}

bool is_phrase(std::string_view cell) {
  return trim(cell).find_first_of(" \t\n") != std::string_view::npos;
}

bool looks_like_data(const std::vector<Row>& rows, const std::vector<std::string>& classes) {
  const Row& first = rows[0];
  if (first.size() < 2) return false;
  if (names_a_class(first, classes)) return true;
  const auto numbers = std::count_if(first.begin(), first.end(),
                                     [](const std::string& cell) { return is_number(trim(cell)); });
  if (numbers > 0 && numbers < static_cast<std::ptrdiff_t>(first.size())) return true;
  return cell_comes_again(rows);
}

}  // namespace

Header judge_header(const TableOpening& opening, const ReadOptions& options) {
  if (options.header) return *options.header ? Header::kYes : Header::kNo;
  std::vector<std::string> wanted = text_column_names(options);
  if (!options.label_column.empty()) wanted.push_back(options.label_column);
  const auto is_place = [](const std::string& name) { return column_number(name).has_value(); };
  const bool asked = text_is_asked_for(options) || label_is_asked_for(options);
  const bool asked_for_place = std::any_of(wanted.begin(), wanted.end(), is_place);
  if (asked && !asked_for_place) return Header::kYes;

  const Row& first = opening.rows[0];
  for (const std::string& name : wanted)
    if (!is_place(name) && has_name(first, name)) return Header::kYes;
  const auto usual = std::count_if(first.begin(), first.end(), is_usual_name);
  // A header, or a text whose class has such a name.
  if (usual == 1 && std::any_of(first.begin(), first.end(), is_phrase)) {
    const bool data = names_a_class(first, options.classes) || cell_comes_again(opening.rows);
    return data ? Header::kNo : Header::kTaken;
  }
  if (usual > 0) return Header::kYes;
  if (asked_for_place || looks_like_data(opening.rows, options.classes)) return Header::kNo;
  return Header::kTaken;
}

}  // namespace textcrs
