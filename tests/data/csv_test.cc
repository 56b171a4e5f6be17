#include "data/csv.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text) {
  CsvReader reader("f.csv", text);
  Rows rows;
  for (std::vector<std::string> row; reader.next(row);) rows.push_back(row);
  return rows;
}

TEST(CsvReader, PlainFields) {
  EXPECT_EQ(rows_of("a,b\nc,d\n"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(rows_of("a,b\nc,d"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(rows_of("a,\n,b\n,"), (Rows{{"a", ""}, {"", "b"}, {"", ""}}));
  EXPECT_EQ(rows_of(""), Rows{});
}

TEST(CsvReader, LineEnds) {
  EXPECT_EQ(rows_of("a,b\r\nc,\"d\"\r\n"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(rows_of("\n\r\na\n\n\nb\r"), (Rows{{"a"}, {"b"}}));
  EXPECT_EQ(rows_of("a\rb\n"), (Rows{{"a\rb"}}));
}

TEST(CsvReader, QuotedFields) {
  EXPECT_EQ(rows_of("\"a,b\",\"say \"\"x\"\"\"\n\"\",\"two\nlines\""),
            (Rows{{"a,b", "say \"x\""}, {"", "two\nlines"}}));
  EXPECT_EQ(rows_of("5\" disk,b\n"), (Rows{{"5\" disk", "b"}}));
}

TEST(CsvReader, CountsLinesInsideQuotes) {
  CsvReader reader("f.csv", "\"a\nb\nc\"\nd\n\ne");
  std::vector<std::string> row;
  std::vector<size_t> lines;
  while (reader.next(row)) lines.push_back(reader.line());
  EXPECT_EQ(lines, (std::vector<size_t>{1, 4, 6}));
}

TEST(CsvReader, Malformed) {
  EXPECT_EQ(error_of([] { rows_of("a\nb,\"c\nd\n"); }),
            "f.csv:2: found a quote that is never closed, expected a closing '\"'");
  EXPECT_EQ(error_of([] { rows_of("\"a\nb\"x,y\n"); }),
            "f.csv:2: found \"x\" after a closing quote, expected ',' or the end of the line");
}

TEST(CsvReader, ReadingUndoesQuoting) {
  EXPECT_TRUE(rc::check([] {
    const auto field = rc::gen::container<std::string>(rc::gen::element('a', ',', '"', '\n', '\r'));
    const auto row = rc::gen::nonEmpty(rc::gen::container<std::vector<std::string>>(field));
    const auto rows = *rc::gen::container<Rows>(row);
    std::string text;
    for (const auto& fields : rows)
      for (size_t i = 0; i < fields.size(); ++i) {
        text += '"';
        for (const char c : fields[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += i + 1 < fields.size() ? "\"," : "\"\r\n";
      }
    RC_ASSERT(rows_of(text) == rows);
  }));
}

}  // namespace
}  // namespace textcrs
