#include "data/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {

void check_columns(size_t columns, const std::filesystem::path& path, size_t line) {
  if (columns > kMostColumns)
    throw bad_line(path, line,
                   fmt::format("found more than {} columns, expected fewer", kMostColumns));
}

bool CsvReader::ends_line(size_t at) const {
  return at >= text_.size() || text_[at] == '\n' || text_.substr(at, 2) == "\r\n" ||
         text_.substr(at) == "\r";
}

bool CsvReader::next(std::vector<std::string>& fields) {
  const auto end_line = [this] {
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ < text_.size()) ++at_, ++line_;
  };
  while (at_ < text_.size() && ends_line(at_)) end_line();
  if (at_ >= text_.size()) return false;
  fields.clear();
  row_line_ = line_;
  for (;;) {
    fields.push_back(at_ < text_.size() && text_[at_] == '"' ? quoted_field() : plain_field());
    check_columns(fields.size(), path_, row_line_);
    if (ends_line(at_)) break;
    ++at_;  // the comma
  }
  end_line();
  return true;
}

std::string CsvReader::plain_field() {
  const size_t begin = at_;
  at_ = std::min(text_.find_first_of(",\n", at_), text_.size());
  if (at_ > begin && text_[at_ - 1] == '\r' && ends_line(at_ - 1)) --at_;
  return std::string(text_.substr(begin, at_ - begin));
}

std::string CsvReader::quoted_field() {
  std::string field;
  const size_t start = line_;
  ++at_;
  for (;;) {
    const size_t quote = text_.find('"', at_);
    if (quote == text_.npos)
      throw bad_line(path_, start, "found a quote that is never closed, expected a closing '\"'");
    field += text_.substr(at_, quote - at_);
    line_ +=
        static_cast<size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                       text_.begin() + static_cast<std::ptrdiff_t>(quote), '\n'));
    at_ = quote + 1;
    if (at_ >= text_.size() || text_[at_] != '"') break;
    field += '"';
    ++at_;
  }
  if (!ends_line(at_) && text_[at_] != ',') {
    const std::string_view rest = text_.substr(at_, text_.substr(at_).find_first_of(",\r\n"));
    throw bad_line(
        path_, line_,
        fmt::format("found {} after a closing quote, expected ',' or the end of the line",
                    in_quotes(rest)));
  }
  return field;
}

}  // namespace textcrs
