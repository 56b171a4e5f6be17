// Which columns of a table hold the text, the label and the id: by their names under a header, else
// by number or by what they look like. The rules are in docs/formats.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/data/dataset.h"

namespace textcrs {

using Row = std::vector<std::string>;

// The first rows of a table, at least one, and the line of the first.
struct TableOpening {
  const std::filesystem::path& path;
  size_t line;
  std::vector<Row> rows;
};
constexpr size_t kOpeningRows = 10000;

struct TableColumns {
  bool header = true;
  std::vector<size_t> text;  // from 0
  std::optional<size_t> label, id;

  std::vector<size_t> taken() const;             // what each of them has, so far
  std::string in_words(const Row& first) const;  // with the names in the table's first row
  // "column 2", or `the column "label"`
  std::string name(size_t column, const Row& first) const;
};

// Whether the first row names the columns; kTaken: nothing says so, nor that it does not.
enum class Header { kNo, kYes, kTaken };
Header judge_header(const TableOpening& opening, const ReadOptions& options);

// The columns of a table without a header. Those that options ask for are numbers from 1; others
// are chosen. A MissingColumn Error if there are none to choose.
TableColumns guess_columns(const TableOpening& opening, const ReadOptions& options);

// A column that is asked for and is not there is a MissingColumn Error.
TableColumns choose_columns(const TableOpening& opening, const ReadOptions& options);

}  // namespace textcrs
