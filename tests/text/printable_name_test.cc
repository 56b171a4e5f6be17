#include "textcrs/text/printable_name.h"

#include <gtest/gtest.h>

#include "text/utf8.h"

namespace textcrs {
namespace {

TEST(PrintableName, KeepsWhatCanBePrinted) {
  EXPECT_EQ(printable_name(""), "");
  EXPECT_EQ(printable_name("Sci/Tech"), "Sci/Tech");
  EXPECT_EQ(printable_name("caf\xc3\xa9 \xf0\x9f\x99\x82"), "caf\xc3\xa9 \xf0\x9f\x99\x82");
}

TEST(PrintableName, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(printable_name("x\ny\tz\x7f"), "x\\x0ay\\x09z\\x7f");
  EXPECT_EQ(printable_name("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable_name("\xc2\x9b"
                           "31m"),
            "\\xc2\\x9b31m");                                        // CSI in one character
  EXPECT_EQ(printable_name("x\xe2\x80\xa8y"), "x\\xe2\\x80\\xa8y");  // a line separator
  EXPECT_EQ(printable_name("caf\xe9"), "caf\\xe9");                  // no UTF-8
}

TEST(PrintableName, CutsLongOnesBetweenCharacters) {
  const std::string most(kLongestName, 'z');
  EXPECT_EQ(printable_name(most), most);
  EXPECT_EQ(printable_name(most + "z"), most.substr(2) + "..");
  std::string accents;
  for (size_t i = 0; i < kLongestName; ++i) accents += "\xc3\xa9";
  EXPECT_EQ(printable_name(accents), accents);
  EXPECT_EQ(printable_name(accents + "e"), accents.substr(4) + "..");
  // An escaped character is kept whole or left out.
  EXPECT_EQ(printable_name(most.substr(5) + "\nzzz"), most.substr(5) + "..");
}

TEST(PrintableName, ListsTheFirstNames) {
  EXPECT_EQ(printable_names({}), "");
  EXPECT_EQ(printable_names({"a", "b\n"}), "a, b\\x0a");
  const std::vector<std::string> many(kMostNames + 2, "c");
  EXPECT_EQ(printable_names(many), "c, c, c, c, c, c, c, c, c, c and 2 more");
}

TEST(PrintableLine, EscapesAllAndCutsNothing) {
  const std::string long_one(1000, 'z');
  EXPECT_EQ(printable_line(long_one), long_one);
  EXPECT_EQ(printable_line("caf\xc3\xa9 \x1b]0;title\x07\n\r"),
            "caf\xc3\xa9 \\x1b]0;title\\x07\\x0a\\x0d");
  EXPECT_EQ(printable_line(std::string_view("a\0b", 3)), "a\\x00b");
}

TEST(PrintableLine, OfSeveralLinesTheBreaksStay) {
  EXPECT_EQ(printable_lines(""), "");
  EXPECT_EQ(printable_lines("a\n\nb\x1b\n"), "a\n\nb\\x1b\n");
  EXPECT_EQ(printable_lines("a\r\nb"), "a\\x0d\nb");
}

TEST(InQuotes, OneLineOfAtMostFortyBytes) {
  EXPECT_EQ(in_quotes("x\ny"), "\"x\\x0ay\"");
  EXPECT_EQ(in_quotes("\xc2\x9b"
                      "31m caf\xe9"),
            "\"\\xc2\\x9b31m caf\\xe9\"");
  const std::string forty(40, 'z');
  EXPECT_EQ(in_quotes(forty), "\"" + forty + "\"");
  EXPECT_EQ(in_quotes(forty + "z"), "\"" + forty + "...\"");
  EXPECT_EQ(in_quotes(forty.substr(1) + "\xc3\xa9"), "\"" + forty.substr(1) + "...\"");
}

}  // namespace
}  // namespace textcrs
