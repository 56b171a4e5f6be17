#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "data/ascii_case.h"
#include "data/column_names.h"
#include "data/table_columns.h"
#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {
namespace {

using Role = MissingColumn::Role;

const char* what(Role role) {
  return role == Role::kText ? "text" : role == Role::kLabel ? "label" : "id";
}

// What a column looks like in the first rows.
struct Looks {
  size_t rows = 0;      // that have it
  size_t distinct = 0;  // values
  size_t bytes = 0;
  size_t phrases = 0;   // cells of two words or more
  bool classes = true;  // every value is the name of a given class

  bool holds_texts() const { return 2 * phrases >= rows; }
};

Looks look_at(size_t column, const std::vector<Row>& rows,
              const std::set<std::string, std::less<>>& classes) {
  Looks looks;
  std::set<std::string_view> values;
  for (const Row& row : rows) {
    if (column >= row.size()) continue;  // an error once the row is read
    const std::string_view cell = trim(row[column]);
    ++looks.rows;
    looks.bytes += cell.size();
    if (cell.find_first_of(" \t\n") != cell.npos) ++looks.phrases;
    values.insert(cell);
    looks.classes = looks.classes && classes.contains(lower_ascii(cell));
  }
  looks.distinct = values.size();
  return looks;
}

class Guess {
 public:
  Guess(const TableOpening& opening, const ReadOptions& options) : opening_(opening) {
    std::set<std::string, std::less<>> classes;
    for (const std::string& name : options.classes) classes.insert(lower_ascii(name));
    for (size_t c = 0; c < width(); ++c) looks_.push_back(look_at(c, opening.rows, classes));
  }

  size_t width() const { return opening_.rows[0].size(); }

  size_t numbered(const std::string& name, Role role) const {
    const auto number = column_number(name);
    if (number && *number <= width()) return *number - 1;
    throw missing(
        role, fmt::format("found {} column{} without a header, expected a number from 1 "
                          "to {} for the {}, not {}",
                          width(), width() == 1 ? "" : "s", width(), what(role), in_quotes(name)));
  }

  // The names of given classes, or else the fewest distinct values; of several columns like that
  // the one with the shortest values.
  size_t label(const std::vector<size_t>& taken) const {
    const auto rank = [this](size_t c) {
      return std::tuple(!looks_[c].classes, looks_[c].distinct, looks_[c].bytes, c);
    };
    const std::vector<size_t> others = without(taken);
    const size_t best = *std::min_element(others.begin(), others.end(),
                                          [&](size_t a, size_t b) { return rank(a) < rank(b); });
    constexpr size_t kFewRows = 10;
    const Looks& looks = looks_[best];
    if (looks.rows >= kFewRows && 2 * looks.distinct > looks.rows && !looks.classes)
      throw missing(Role::kLabel,
                    fmt::format("found no column that repeats its values ({} different ones in {} "
                                "rows of column {}), expected labels",
                                looks.distinct, looks.rows, best + 1));
    return best;
  }

  // Those with phrases in most rows, or else the one with the longest values.
  std::vector<size_t> texts(const std::vector<size_t>& taken) const {
    const std::vector<size_t> others = without(taken);
    std::vector<size_t> chosen;
    for (const size_t c : others)
      if (looks_[c].holds_texts()) chosen.push_back(c);
    if (chosen.empty())
      chosen.push_back(*std::max_element(others.begin(), others.end(), [this](size_t a, size_t b) {
        return looks_[a].bytes < looks_[b].bytes;
      }));
    return chosen;
  }

 private:
  std::vector<size_t> without(const std::vector<size_t>& taken) const {
    std::vector<size_t> others;
    for (size_t c = 0; c < width(); ++c)
      if (std::find(taken.begin(), taken.end(), c) == taken.end()) others.push_back(c);
    if (others.empty())
      throw missing(Role::kText, fmt::format("found {} column{} without a header, expected one for "
                                             "the text and one for the label",
                                             width(), width() == 1 ? "" : "s"));
    return others;
  }

  MissingColumn missing(Role role, const std::string& message) const {
    return {role, false, fmt::format("{}:{}: {}", opening_.path.string(), opening_.line, message)};
  }

  const TableOpening& opening_;
  std::vector<Looks> looks_;
};

}  // namespace

TableColumns guess_columns(const TableOpening& opening, const ReadOptions& options) {
  const Guess guess(opening, options);
  TableColumns columns;
  columns.header = false;
  if (text_is_asked_for(options))
    for (const std::string& name : text_column_names(options))
      columns.text.push_back(guess.numbered(name, Role::kText));
  if (id_is_asked_for(options)) columns.id = guess.numbered(options.id_column, Role::kId);
  const bool one_column = guess.width() == 1;
  if (label_is_asked_for(options))
    columns.label = guess.numbered(options.label_column, Role::kLabel);
  else if (!options.label_column.empty() && !one_column)
    columns.label = guess.label(columns.taken());
  if (columns.text.empty()) columns.text = guess.texts(columns.taken());
  return columns;
}

}  // namespace textcrs
