// Rows of comma-separated values (RFC 4180).
//
//   row   = field *("," field) (LF / CRLF / end of file)
//   field = '"' *(any byte but '"' / '""') '"'  /  *(any byte but ',' LF)
//
// A quote inside a field that does not start with one is an ordinary byte. Blank lines are skipped.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

// Of a row; more are no table, and each takes many times its comma.
inline constexpr size_t kMostColumns = 10'000;

// A bad_line Error if a row has more columns than that.
void check_columns(size_t columns, const std::filesystem::path& path, size_t line);

class CsvReader {
 public:
  // `path` is for messages; `text` must outlive the reader.
  CsvReader(std::filesystem::path path, std::string_view text)
      : path_(std::move(path)), text_(text) {}

  // The next row, or false at the end. A quote without its partner, or text after a closing quote,
  // is a bad_input Error.
  bool next(std::vector<std::string>& fields);
  size_t line() const { return row_line_; }  // on which the row returned last starts

 private:
  std::string quoted_field();
  std::string plain_field();
  bool ends_line(size_t at) const;

  std::filesystem::path path_;
  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t row_line_ = 0;
};

}  // namespace textcrs
