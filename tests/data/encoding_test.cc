#include "data/encoding.h"

#include <gtest/gtest.h>

#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using namespace std::literals;

std::string refusal(std::string_view text, const std::string& path = "in/a.csv",
                    bool packed = false) {
  return error_of([&] { check_encoding(path, text, packed); });
}

TEST(Encoding, Utf8IsAccepted) {
  EXPECT_EQ(refusal("plain"), "");
  EXPECT_EQ(refusal("\xef\xbb\xbf"
                    "caf\xc3\xa9"),
            "");
}

TEST(Encoding, SaysWhereAndHowToConvert) {
  EXPECT_EQ(
      refusal("text,label\ncaf\xe9,pos\n"),
      "in/a.csv:2: found the byte 0xe9 at offset 14, expected UTF-8; if it is Western European "
      "text of Windows: iconv -f WINDOWS-1252 -t UTF-8 'in/a.csv' > 'a-utf8.csv'");
  EXPECT_EQ(refusal("caf\xe9", "in/a.csv.gz", /*packed=*/true),
            "in/a.csv.gz:1: found the byte 0xe9 at offset 3, expected UTF-8; if it is Western "
            "European text of Windows: gzip -dc 'in/a.csv.gz' | iconv -f WINDOWS-1252 -t UTF-8 > "
            "'a-utf8.csv'");
}

TEST(Encoding, OneBadByteInUtf8IsNoOtherEncoding) {
  EXPECT_EQ(refusal("caf\xc3\xa9\n\xc3"),
            "in/a.csv:2: found the byte 0xc3 at offset 6, expected UTF-8; the text before it is "
            "UTF-8; to drop what is not: iconv -c -f UTF-8 -t UTF-8 'in/a.csv' > 'a-utf8.csv'");
}

TEST(Encoding, WideCharactersAreNamed) {
  const std::string end = " -t UTF-8 'in/a.csv' > 'a-utf8.csv'";
  const auto by_mark = [&](const std::string& name) {
    return "in/a.csv: found " + name +
           " by its byte order mark, expected UTF-8; to convert it: iconv -f " + name + end;
  };
  EXPECT_EQ(refusal("\xff\xfet\0e\0"sv), by_mark("UTF-16"));
  EXPECT_EQ(refusal("\xfe\xff\0t\0e"sv), by_mark("UTF-16"));
  EXPECT_EQ(refusal("\xff\xfe\0\0t\0\0\0"sv), by_mark("UTF-32"));
  EXPECT_EQ(refusal("\0\0\xfe\xff\0\0\0t"sv), by_mark("UTF-32"));
  const auto by_nuls = [&](const std::string& name) {
    return "in/a.csv: found " + name +
           " by its NUL bytes, expected UTF-8; to convert it: iconv -f " + name + end;
  };
  EXPECT_EQ(refusal("t\0e\0x\0t\0"sv), by_nuls("UTF-16LE"));
  EXPECT_EQ(refusal("\0t\0e\0x\0t"sv), by_nuls("UTF-16BE"));
}

TEST(Encoding, NulIsNoEncoding) {
  EXPECT_EQ(refusal("a text\nand \0 more of it"sv),
            "in/a.csv:2: found a NUL byte at offset 11, expected text");
}

TEST(Encoding, OtherFilesAreNamed) {
  const std::string end = ", expected UTF-8 text, plain or packed by gzip";
  EXPECT_EQ(refusal("PK\x03\x04\x14\0\0"sv),
            "in/a.csv: found a zip archive (or a spreadsheet)" + end);
  EXPECT_EQ(refusal("BZh91AY&SY\xff"), "in/a.csv: found bzip2 data" + end);
  EXPECT_EQ(refusal("PAR1\x15\0"sv), "in/a.csv: found a Parquet file" + end);
}

}  // namespace
}  // namespace textcrs
