#include "page/texts_csv.h"

#include <gtest/gtest.h>

#include "page/made_run.h"
#include "text/temporary_folder.h"
#include "textcrs/page/report_page.h"

namespace textcrs {
namespace {

using Rows = std::vector<std::vector<std::string>>;

// RFC 4180, strictly: every line ends in CR LF, a quote is only in a quoted cell, and doubled
// there.
Rows parse(const std::string& csv) {
  Rows rows(1);
  rows.back().emplace_back();
  for (size_t i = 0; i < csv.size();) {
    if (csv[i] == '"') {
      EXPECT_EQ(rows.back().back(), "");
      for (++i;; ++i) {
        if (i >= csv.size()) throw std::runtime_error("a quote is open");
        if (csv[i] != '"')
          rows.back().back() += csv[i];
        else if (csv.substr(i, 2) == "\"\"")
          rows.back().back() += csv[i++];
        else
          break;
      }
      ++i;
      EXPECT_TRUE(csv[i] == ',' || csv[i] == '\r') << csv.substr(i, 20);
    } else if (csv[i] == ',') {
      rows.back().emplace_back();
      ++i;
    } else if (csv[i] == '\r') {
      EXPECT_EQ(csv.substr(i, 2), "\r\n");
      rows.emplace_back();
      rows.back().emplace_back();
      i += 2;
    } else {
      EXPECT_NE(csv[i], '\n');
      rows.back().back() += csv[i++];
    }
  }
  EXPECT_EQ(rows.back(), std::vector<std::string>{""});  // behind the last line's end
  rows.pop_back();
  return rows;
}

class TextsCsv : public testing::Test {
 protected:
  std::string csv(const std::vector<ReportedRun>& runs) const {
    write_texts_csv(runs, work_.path() / "texts.csv");
    return read_file(work_.path() / "texts.csv");
  }
  std::string cell(const Rows& rows, size_t row, const std::string& column) const {
    for (size_t i = 0; i < rows[0].size(); ++i)
      if (rows[0][i] == column) return rows.at(row).at(i);
    return "no column " + column;
  }
  TemporaryFolder work_;
};

TEST_F(TextsCsv, HasARowPerTextOfEveryRun) {
  std::vector<Record> records =
      made_records({{.edits = 3, .text = "a \"fine\" film,\nindeed\r\n", .key = "k, 1"},
                    {.label = "neg", .prediction = "pos", .edits = 1, .pa = 0.66},
                    {.label = std::nullopt, .prediction = "neg", .abstained = true, .text = ""}});
  records[0].certification.sound.guarantees[0].radius = kUnlimited;
  records[1].warnings = {"one", "two"};
  const auto first = write_run(work_.path() / "first", records);
  const auto second = write_run(work_.path() / "second", made_records({{}}));
  const Rows rows = parse(csv({{"a, b", first, {}}, {"second", second, {}}}));
  ASSERT_EQ(rows.size(), 5u);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows[0].size());
  EXPECT_EQ(cell(rows, 1, "run"), "a, b");
  EXPECT_EQ(cell(rows, 4, "run"), "second");
  EXPECT_EQ(cell(rows, 1, "id"), "0");
  EXPECT_EQ(cell(rows, 1, "key"), "k, 1");
  EXPECT_EQ(cell(rows, 1, "text"), "a \"fine\" film,\nindeed\r\n");
  EXPECT_EQ(cell(rows, 1, "label"), "pos");
  EXPECT_EQ(cell(rows, 1, "correct"), "yes");
  EXPECT_EQ(cell(rows, 1, "certified_deletion"), "unlimited");
  EXPECT_EQ(cell(rows, 1, "certified_edit"), "3");
  EXPECT_EQ(cell(rows, 1, "certified_edit_counts"), "words");
  EXPECT_EQ(cell(rows, 1, "certified_reordering"), "");
  EXPECT_EQ(cell(rows, 1, "pa"), "0.875");
  EXPECT_EQ(cell(rows, 1, "samples"), "1100");
  EXPECT_EQ(cell(rows, 1, "units"), "10");
  EXPECT_EQ(cell(rows, 1, "unit"), "word");
  EXPECT_EQ(cell(rows, 1, "seconds"), "0.25");
  EXPECT_EQ(cell(rows, 2, "correct"), "no");
  EXPECT_EQ(cell(rows, 2, "warnings"), "one; two");
  EXPECT_EQ(cell(rows, 3, "label"), "");
  EXPECT_EQ(cell(rows, 3, "correct"), "");
  EXPECT_EQ(cell(rows, 3, "abstained"), "yes");
  EXPECT_EQ(cell(rows, 3, "certified_edit"), "");
  EXPECT_TRUE(cell(rows, 3, "in_words").starts_with("no answer"));
}

TEST(TextCell, IsQuotedWhereItMustBe) {
  EXPECT_EQ(text_cell("plain text"), "plain text");
  EXPECT_EQ(text_cell(""), "");
  EXPECT_EQ(text_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(text_cell("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(text_cell("a\nb"), "\"a\nb\"");
  EXPECT_EQ(text_cell("a\rb"), "\"a\rb\"");
}

TEST(TextCell, IsNoFormula) {
  for (const std::string start : {"=", "+", "-", "@", "\t", "\r"}) {
    const std::string cell = text_cell(start + "cmd|' /C calc'!A0");
    EXPECT_TRUE(cell.starts_with("'" + start) || cell.starts_with("\"'" + start)) << cell;
  }
  EXPECT_EQ(text_cell("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
  EXPECT_EQ(text_cell("a=b"), "a=b");
}

TEST_F(TextsCsv, RefusesWhatHasNoTexts) {
  EXPECT_EQ(error_of([&] { csv({}); }), "no run, expected at least one");
  EXPECT_NE(error_of([&] {
              csv({{"x", work_.path() / "none", {}}});
            }).find("no such folder"),
            std::string::npos);
  const auto ok = write_run(work_.path() / "ok", made_records({{}}));
  EXPECT_EQ(error_of([&] { csv({{"a", ok, {}}, {"a", ok, {}}}); }), "two runs are named 'a'");
  EXPECT_FALSE(std::filesystem::exists(work_.path() / "texts.csv"));
}

}  // namespace
}  // namespace textcrs
