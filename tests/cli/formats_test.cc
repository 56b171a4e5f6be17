// How data is recognised, and what is said about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Formats, TheChoiceIsPrinted) {
  const Workspace& w = workspace();
  const std::string plain = w.write("stars.csv", "\"2\",\"good film\"\n");
  const std::string fast = w.write("fast.txt", "__label__pos good film\n__label__neg bad film\n");
  const std::string array =
      w.write("array.json", "[{\"Text\": \"good film\", \"label\": \"pos\"}]");
  // gzip of "text,label\ngood film,pos\n"
  const std::string packed = w.write(
      "packed.csv.gz",
      std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x2b\x49\xad\x28\xd1\xc9\x49\x4c\x4a\xcd"
                  "\xe1\x4a\xcf\xcf\x4f\x51\x48\xcb\xcc\xc9\xd5\x29\xc8\x2f\xe6\x02\x00\x15\x5e\x6d"
                  "\x59\x19\x00\x00\x00",
                  45));
  const auto results = run_all({{"data", "show", plain},
                                {"data", "show", fast},
                                {"data", "show", array},
                                {"data", "show", packed}});
  for (const Result& result : results) EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(results[0].err,
            "read " + plain +
                " as csv without a header: label in column 1, text in column 2; classes: 2\n");
  EXPECT_EQ(results[0].out, "0\t2\t2 words\tgood film\n");
  EXPECT_EQ(results[1].err,
            "read " + fast +
                " as fasttext: one text per line, its label the word __label__CLASS; classes: neg, "
                "pos\n");
  EXPECT_EQ(results[2].err, "read " + array +
                                " as json: text in the key \"text\", label in the key \"label\"; "
                                "classes: pos\n");
  EXPECT_THAT(results[3].err, StartsWith("read " + packed + ", unpacked, as csv with a header: "));
  for (const size_t i : {1, 2, 3})
    EXPECT_THAT(results[i].out, StartsWith("0\tpos\t2 words\tgood film\n"));
}

TEST(Formats, AClassMayHaveTheNameOfAColumn) {
  const std::string first = "description,what is a film\nentity,which film won\n";
  const std::string once = workspace().write("once.csv", first);
  const std::string again =
      workspace().write("again.csv", first + "description,what is a director\n");
  const auto results = run_all({{"data", "show", once}, {"data", "show", again}});
  EXPECT_EQ(results[0].exit_code, 3);
  EXPECT_THAT(
      results[0].err,
      EndsWith(":1: found the columns \"description\", \"what is a film\", expected one named "
               "\"text\"; --text-column says which it is; if the first row is a text, add "
               "--no-header\n"));
  EXPECT_THAT(results[1].out, StartsWith("0\tdescription\t4 words\twhat is a film\n"));
}

TEST(Formats, LabelsArePrintedInOneLine) {
  const std::string file =
      workspace().write("odd.csv", "text,label\ngood film,\"x\ny\"\nbad film,\x1b[31m" +
                                       std::string(5000, 'z') + "\n");
  const auto results = run_all({{"data", "show", file}});
  const std::string red = "\\x1b[31m" + std::string(30, 'z') + "..";
  EXPECT_THAT(results[0].err, EndsWith("; classes: " + red + ", x\\x0ay\n"));
  EXPECT_EQ(results[0].out, "0\tx\\x0ay\t2 words\tgood film\n1\t" + red + "\t2 words\tbad film\n");
}

TEST(Formats, ColumnsByNumber) {
  const std::string file = workspace().write("two.csv", "good film,pos\nbad film,neg\n");
  // As it is written beside a model.
  const std::string saved = workspace().write(
      "saved.toml", "[data.show]\nheader = false\nno-header = true\nlabel-column = \"\"\n");
  const Arguments show = {"data", "show", file};
  const auto results =
      run_all({show, show + Arguments{"--no-header"},
               show + Arguments{"--text-column", "2", "--label-column", "1"},
               show + Arguments{"--no-header", "--label-column", ""},
               show + Arguments{"--no-header", "--header"}, show + Arguments{"--config", saved}});
  EXPECT_EQ(results[0].exit_code, 3);
  EXPECT_THAT(
      results[0].err,
      EndsWith(file +
               ":1: found the columns \"good film\", \"pos\", expected one named \"text\"; "
               "--text-column says which it is; if the first row is a text, add --no-header\n"));
  EXPECT_EQ(results[1].out, "0\tpos\t2 words\tgood film\n1\tneg\t2 words\tbad film\n");
  EXPECT_EQ(results[2].out, "0\tgood film\t1 word\tpos\n1\tbad film\t1 word\tneg\n");
  EXPECT_EQ(results[3].out, "0\t-\t2 words\tgood film\n1\t-\t2 words\tbad film\n");
  EXPECT_EQ(results[4].exit_code, 2);
  EXPECT_THAT(results[4].err, EndsWith("expected --header or --no-header, not both\n"));
  EXPECT_EQ(results[5].out, results[3].out);
}

TEST(Formats, AWrongColumnNamesTheFlag) {
  const std::string file = workspace().write("reviews.csv", "Review,Stars\ngood film,5\n");
  const Arguments show = {"data", "show", file};
  const auto results = run_all(
      {show + Arguments{"--text-column", "review"}, show + Arguments{"--text-column", "reviews"},
       show + Arguments{"--text-column", "review", "--label-column", "x"}});
  EXPECT_EQ(results[0].out, "0\t-\t2 words\tgood film\n");  // case does not matter
  EXPECT_EQ(results[1].exit_code, 3);
  EXPECT_THAT(
      results[1].err,
      EndsWith(
          file +
          ":1: found the columns \"Review\", \"Stars\", expected one named \"reviews\"; did you "
          "mean 'Review'? --text-column says which it is\n"));
  EXPECT_EQ(results[2].exit_code, 3);
  EXPECT_THAT(results[2].err,
              EndsWith("expected one named \"x\"; --label-column says which it is\n"));
}

TEST(Formats, WhatIsNotUtf8IsConverted) {
  const std::string latin = workspace().write("latin.txt", "a\ncaf\xe9\n");
  const std::string wide = workspace().write("wide.csv", std::string("\xff\xfet\0e\0", 6));
  const auto results = run_all({{"data", "show", latin}, {"data", "show", wide}});
  for (const Result& result : results) EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(
      results[0].err,
      EndsWith(
          latin +
          ":2: found the byte 0xe9 at offset 5, expected UTF-8; if it is Western European text "
          "of Windows: iconv -f WINDOWS-1252 -t UTF-8 '" +
          latin + "' > 'latin-utf8.txt'\n"));
  EXPECT_THAT(results[1].err, HasSubstr("iconv -f UTF-16 -t UTF-8 '" + wide + "'"));
}

TEST(Formats, ClassesComeFromTheData) {
  const Workspace& w = workspace();
  std::string rows;
  for (const std::string& line : lines_of(read(w.texts()))) {
    const size_t comma = line.find(',');
    if (line.starts_with("text,")) continue;
    rows += (line.ends_with("pos") ? "\"2\",\"" : "\"1\",\"") + line.substr(0, comma) + "\"\n";
  }
  const std::string data = w.write("polarity.csv", rows);
  const std::string model = w.path("polarity-model");
  Arguments training = w.training(model);
  training[2] = data;
  const Result result = run(training);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err,
              HasSubstr("read " + data +
                        " as csv without a header: label in column 1, text in column 2; "
                        "classes: 1, 2\n"));
  EXPECT_THAT(run({"predict", "--model", model, "--samples", "200", "good great fine film"}).out,
              StartsWith("2 ("));
}

}  // namespace
}  // namespace textcrs::cli_test
