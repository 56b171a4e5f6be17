#include "data/table_columns.h"

#include <gtest/gtest.h>

#include "text/temporary_folder.h"
#include "textcrs/data/missing_column.h"

namespace textcrs {
namespace {

using Places = std::vector<size_t>;
using Rows = std::vector<Row>;

const std::filesystem::path kPath = "t.csv";

TableColumns choose(Rows rows, const ReadOptions& options = {}) {
  return choose_columns({kPath, 1, std::move(rows)}, options);
}
std::string refusal(const Rows& rows, const ReadOptions& options = {}) {
  return error_of([&] { choose(rows, options); });
}
Header judge(Rows rows, const ReadOptions& options = {}) {
  return judge_header({kPath, 1, std::move(rows)}, options);
}
ReadOptions asking(const std::string& text, const std::string& label = "label") {
  ReadOptions options;
  options.text_column = text;
  options.label_column = label;
  return options;
}

TEST(JudgeHeader, UsualNamesAreAHeader) {
  EXPECT_EQ(judge({{"text", "label"}, {"good", "1"}}), Header::kYes);
  EXPECT_EQ(judge({{"Review", "stars"}, {"good", "1"}}), Header::kYes);
  EXPECT_EQ(judge({{" TEXT "}, {"good"}}), Header::kYes);
}

TEST(JudgeHeader, OneUsualNameBesideAPhraseIsInDoubt) {
  const Rows questions = {{"description", "what is a film"}, {"entity", "which film won"}};
  EXPECT_EQ(judge(questions), Header::kTaken);
  EXPECT_EQ(judge(questions, asking("2", "1")), Header::kTaken);
  EXPECT_EQ(judge({{"Title", "Star Rating"}, {"good", "1"}}), Header::kTaken);
  EXPECT_EQ(judge({{"Title", "Description", "Star Rating"}}), Header::kYes);
  EXPECT_EQ(judge({{"text", "star rating"}, {"good", "1"}}), Header::kYes);
  Rows again = questions;
  again.push_back({"description", "what is a director"});
  EXPECT_EQ(judge(again), Header::kNo);
  ReadOptions options;
  options.classes = {"DESCRIPTION", "ENTITY"};
  EXPECT_EQ(judge(questions, options), Header::kNo);
}

TEST(JudgeHeader, ANumberBesideATextIsData) {
  EXPECT_EQ(judge({{"2", "good film"}}), Header::kNo);
  EXPECT_EQ(judge({{"good film", "-0.5"}}), Header::kNo);
  EXPECT_EQ(judge({{"0", "1"}, {"good film", "7"}}), Header::kTaken);  // names that pandas gives
}

TEST(JudgeHeader, ALabelThatComesAgainIsData) {
  EXPECT_EQ(judge({{"pos", "good film"}, {"neg", "bad film"}, {"pos", "fine"}}), Header::kNo);
  EXPECT_EQ(judge({{"kommentar", "wertung"}, {"gut", "1"}, {"schlecht", "0"}}), Header::kTaken);
  // A header that stands in the file twice.
  EXPECT_EQ(judge({{"kommentar", "wertung"}, {"gut", "ja"}, {"kommentar", "wertung"}}),
            Header::kTaken);
}

TEST(JudgeHeader, TheNameOfAGivenClassIsData) {
  ReadOptions options;
  EXPECT_EQ(judge({{"pos", "good film"}}, options), Header::kTaken);
  options.classes = {"neg", "POS"};
  EXPECT_EQ(judge({{"pos", "good film"}}, options), Header::kNo);
}

TEST(JudgeHeader, WhatIsAskedForDecides) {
  const Rows data = {{"2", "good film"}}, names = {{"text", "label"}, {"good", "1"}};
  EXPECT_EQ(judge(data, asking("review")), Header::kYes);
  EXPECT_EQ(judge({{"pos", "good film"}, {"neg", "bad film"}}, asking("2", "1")), Header::kNo);
  EXPECT_EQ(judge(data, asking("2", "1")), Header::kNo);
  EXPECT_EQ(judge(names, asking("1", "2")), Header::kYes);
  ReadOptions options;
  options.header = false;
  EXPECT_EQ(judge(names, options), Header::kNo);
  options.header = true;
  EXPECT_EQ(judge(data, options), Header::kYes);
}

TEST(ChooseColumns, NamesWithoutRegardToCase) {
  EXPECT_EQ(choose({{"Label", "TEXT"}}).text, Places{1});
  EXPECT_EQ(choose({{"Label", "TEXT"}}).label, 0u);
  EXPECT_EQ(choose({{"Text", "text", "TEXT"}}).text, Places{1});  // the same one first
  EXPECT_EQ(refusal({{"Text", "TEXT", "label"}}),
            "t.csv:1: found two columns for \"text\" (\"Text\" and \"TEXT\"), expected one");
}

TEST(ChooseColumns, NumbersAreNamesFirst) {
  EXPECT_EQ(choose({{"text", "3", "x"}}, asking("3")).text, Places{1});
  EXPECT_EQ(choose({{"text", "label", "x"}}, asking("3")).text, Places{2});
  EXPECT_EQ(choose({{"text", "label", "x"}}, asking("1+3", "2")).text, (Places{0, 2}));
}

TEST(ChooseColumns, AMissingOneIsNamedWithThoseThereAre) {
  EXPECT_EQ(refusal({{"review", "sentiment"}}, asking("reveiw")),
            "t.csv:1: found the columns \"review\", \"sentiment\", expected one named \"reveiw\"; "
            "did you mean 'review'?");
  const auto missing = [](const Rows& rows, const ReadOptions& options) {
    try {
      choose(rows, options);
    } catch (const MissingColumn& error) {
      return std::pair(error.role(), error.may_lack_header());
    }
    throw std::runtime_error("nothing is missing");
  };
  using Role = MissingColumn::Role;
  EXPECT_EQ(missing({{"text", "x"}}, asking("text", "y")), std::pair(Role::kLabel, false));
  EXPECT_EQ(missing({{"review", "x"}}, {}), std::pair(Role::kText, false));
  EXPECT_EQ(missing({{"kommentar", "x"}}, {}), std::pair(Role::kText, true));
  EXPECT_EQ(missing({{"description", "what is a film"}}, {}), std::pair(Role::kText, true));
  EXPECT_EQ(missing({{"1", "good film"}}, asking("3")), std::pair(Role::kText, false));
}

TEST(ChooseColumns, WithoutAHeaderTheLabelHasTheFewestValues) {
  const TableColumns first = choose({{"1", "good film"}, {"2", "bad film"}, {"1", "a film"}});
  EXPECT_FALSE(first.header);
  EXPECT_EQ(first.label, 0u);
  EXPECT_EQ(first.text, Places{1});
  EXPECT_EQ(first.in_words({}), "without a header: label in column 1, text in column 2");
  const TableColumns last = choose({{"good film", "a"}, {"bad film", "b"}, {"no film", "a"}});
  EXPECT_EQ(last.label, 1u);
  EXPECT_EQ(last.text, Places{0});
  // As many values: the shorter ones.
  EXPECT_EQ(choose({{"a film of wit", "5"}}).label, 1u);
}

TEST(ChooseColumns, WithoutAHeaderTextsHaveWords) {
  const TableColumns titles = choose({{"1", "A title", "And a text"}, {"2", "Other", "More text"}});
  EXPECT_EQ(titles.label, 0u);
  EXPECT_EQ(titles.text, (Places{1, 2}));
  EXPECT_EQ(titles.in_words({}),
            "without a header: label in column 1, text in column 2 and column 3");
  // An id and a source are no texts.
  const TableColumns ids = choose(
      {{"17", "a", "mail", "one text"}, {"18", "b", "web", "two texts"}, {"19", "a", "tv", "x y"}});
  EXPECT_EQ(ids.label, 1u);
  EXPECT_EQ(ids.text, Places{3});
  // Texts of one word.
  EXPECT_EQ(choose({{"1", "good"}, {"1", "fine"}}).text, Places{1});
}

TEST(ChooseColumns, WithoutAHeaderGivenClassesTellTheLabel) {
  ReadOptions options;
  options.header = false;
  options.classes = {"Pos", "Neg"};
  EXPECT_EQ(choose({{"x", "pos", "a b"}, {"x", "neg", "c d"}}, options).label, 1u);
}

TEST(ChooseColumns, WithoutAHeaderColumnsHaveNumbers) {
  const Rows rows = {{"1", "good film", "x"}, {"2", "bad film", "x"}};
  EXPECT_EQ(choose(rows, asking("3+2", "1")).text, (Places{2, 1}));
  EXPECT_EQ(choose(rows, asking("2")).label, 2u);
  EXPECT_EQ(choose(rows, asking("2", "")).label, std::nullopt);
  EXPECT_EQ(
      refusal(rows, asking("4", "1")),
      "t.csv:1: found 3 columns without a header, expected a number from 1 to 3 for the text, "
      "not \"4\"");
  ReadOptions names = asking("2", "class");
  names.header = false;
  EXPECT_EQ(
      refusal(rows, names),
      "t.csv:1: found 3 columns without a header, expected a number from 1 to 3 for the label, "
      "not \"class\"");
  EXPECT_EQ(refusal({{"1", "a b"}}, asking("1+2")),
            "t.csv:1: found 2 columns without a header, expected one for the text and one for the "
            "label");
}

TEST(ChooseColumns, ValuesThatNeverRepeatAreNoLabels) {
  Rows rows;
  for (int i = 0; i < 20; ++i) rows.push_back({std::to_string(i), "text " + std::to_string(i)});
  EXPECT_EQ(refusal(rows),
            "t.csv:1: found no column that repeats its values (20 different ones in 20 rows of "
            "column 1), expected labels");
  EXPECT_EQ(choose(rows, asking("2", "")).text, Places{1});
  EXPECT_EQ(choose(rows, asking("2", "1")).label, 0u);
}

TEST(ChooseColumns, OneColumnWithoutAHeaderIsTheText) {
  ReadOptions options;
  options.header = false;
  EXPECT_EQ(choose({{"good film"}, {"bad film"}}, options).label, std::nullopt);
  EXPECT_EQ(choose({{"good film"}, {"bad film"}}, options).text, Places{0});
}

}  // namespace
}  // namespace textcrs
