#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/data/dataset.h"

namespace textcrs {
namespace {

using testing::EndsWith;
using testing::StartsWith;
using Strings = std::vector<std::string>;

class Table : public testing::Test {
 protected:
  Dataset read(const std::string& content) {
    write_file_atomically(path(), content);
    options_.path = path();
    return read_dataset(options_);
  }
  // The error, without the file's name in front.
  std::string error(const std::string& content) {
    const std::string message = error_of([&] { read(content); });
    return message.starts_with(path().string()) ? message.substr(path().string().size()) : message;
  }
  std::filesystem::path path() const { return folder_.path() / ("t." + options_.format); }

  TemporaryFolder folder_;
  ReadOptions options_;
};

class Csv : public Table {
 protected:
  Csv() { options_.format = "csv"; }
};
class Tsv : public Table {
 protected:
  Tsv() { options_.format = "tsv"; }
};
class Jsonl : public Table {
 protected:
  Jsonl() { options_.format = "jsonl"; }
};
class Json : public Table {
 protected:
  Json() { options_.format = "json"; }
};

std::vector<int> labels(const Dataset& dataset) {
  std::vector<int> all;
  for (const Example& example : dataset.examples) all.push_back(example.label);
  return all;
}

TEST_F(Csv, ReadsTextsAndLabels) {
  const Dataset dataset = read("\xef\xbb\xbfid,text,label\r\n7,\"a, b\",pos\r\n8,c,neg\r\n");
  EXPECT_EQ(dataset.name, "t");
  EXPECT_EQ(dataset.classes, (Strings{"neg", "pos"}));
  ASSERT_EQ(dataset.examples.size(), 2u);
  EXPECT_EQ(dataset.examples[0].text, "a, b");
  EXPECT_EQ(dataset.examples[1].id, 1u);
  EXPECT_EQ(labels(dataset), (std::vector<int>{1, 0}));
}

TEST_F(Csv, SortsNumbersAsNumbers) {
  EXPECT_EQ(read("text,label\na,10\nb,9\nc,-1\n").classes, (Strings{"-1", "9", "10"}));
  EXPECT_EQ(read("text,label\na,10\nb,9\nc,x\n").classes, (Strings{"10", "9", "x"}));
}

TEST_F(Csv, LooksLabelsUpInTheGivenClasses) {
  options_.classes = {"Negative", "Positive"};
  const Dataset dataset = read("text,label\na,POSITIVE\nb,Negative\nc, positive \n");
  EXPECT_EQ(dataset.classes, options_.classes);
  EXPECT_EQ(labels(dataset), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(labels(read("text,label\nb,0\nc, 1 \n")), (std::vector<int>{0, 1}));
  EXPECT_EQ(
      error("text,label\na,0\nb,neutral\n"),
      ":3: found the label \"neutral\", expected one of Negative, Positive or a number from 0 "
      "to 1");
  EXPECT_EQ(
      error("text,label\na,2\n"),
      ":2: found the label \"2\", expected one of Negative, Positive or a number from 0 to 1");
  EXPECT_EQ(error("text,label\na,\n"),
            ":2: found an empty label, expected one of Negative, Positive");
}

TEST_F(Csv, NumbersThatNameAClassMeanThatClass) {
  options_.classes = {"1", "0"};
  EXPECT_EQ(labels(read("text,label\na,0\nb,1\n")), (std::vector<int>{1, 0}));
}

TEST_F(Csv, NumbersBesideNamesAreUnknown) {
  options_.classes = {"1", "2", "3"};
  EXPECT_EQ(error("text,label\na,1\nb,2\nc,0\n"),
            ":4: found the label \"0\", expected one of 1, 2, 3");
  EXPECT_EQ(error("text,label\na,0\n"), ":2: found the label \"0\", expected one of 1, 2, 3");
  options_.classes = {"neg", "pos"};
  EXPECT_EQ(error("text,label\na,0\nb,POS\n"),
            ":2: found the label \"0\", expected one of neg, pos");
}

TEST_F(Csv, ClassesMayDifferInCaseOnly) {
  const std::string content = "text,label\na,it\nb,IT\nc,b\n";
  const Dataset own = read(content);
  EXPECT_EQ(own.classes, (Strings{"IT", "b", "it"}));
  options_.classes = own.classes;
  EXPECT_EQ(labels(read(content)), labels(own));
  EXPECT_EQ(labels(read("text,label\na,B\n")), (std::vector<int>{1}));
  EXPECT_EQ(error("text,label\na,it\nb,It\n"),
            ":3: found two classes for \"It\" (\"IT\" and \"it\"), expected one");
}

TEST_F(Csv, LabelsAreDescribedInOneLine) {
  const std::string content = "text,label\na,\"x\ny\"\nb," + std::string(5000, 'z') + "\n";
  EXPECT_THAT(read(content).description,
              EndsWith("; classes: x\\x0ay, " + std::string(38, 'z') + ".."));
  options_.classes = {"\x1b[31mred", "blue"};
  EXPECT_EQ(
      error("text,label\na,c\n"),
      ":2: found the label \"c\", expected one of \\x1b[31mred, blue or a number from 0 to 1");
}

TEST_F(Csv, JoinsTextColumns) {
  options_.text_column = "title+body";
  options_.label_column = "class";
  EXPECT_EQ(read("title,class,body\nx,1,y\n").examples[0].text, "x y");
  options_.text_column = "title++body";
  EXPECT_EQ(error("title,class,body\nx,1,y\n"),
            "text column \"title++body\": found an empty name, expected names joined by '+'");
}

TEST_F(Csv, MayHaveNoLabels) {
  options_.classes = {"a", "b"};
  const Dataset dataset = read("text\nx\n");
  EXPECT_EQ(labels(dataset), (std::vector<int>{kNoLabel}));
  EXPECT_EQ(dataset.classes, options_.classes);
  options_.label_column = "class";
  EXPECT_EQ(error("text\nx\n"), ":1: found the columns \"text\", expected one named \"class\"");
}

TEST_F(Csv, Malformed) {
  EXPECT_EQ(error(""), ": found an empty file, expected texts");
  EXPECT_EQ(error("\n\n"), ": found an empty file, expected texts");
  EXPECT_EQ(error("text,label\n"), ": found no texts, expected at least one (csv, test)");
  EXPECT_EQ(error("text,label\nx,1\ny\n"), ":3: found 1 column, expected 2 (text, label)");
  EXPECT_EQ(error("text,label\nx,1,2\n"), ":2: found 3 columns, expected 2 (text, label)");
  EXPECT_EQ(error("words,label\nx,1\n"),
            ":1: found the columns \"words\", \"label\", expected one named \"text\"");
  EXPECT_EQ(error("text,text,label\nx,y,1\n"),
            ":1: found two columns for \"text\" (\"text\" and \"text\"), expected one");
  EXPECT_EQ(error("text,label\nx,\n"), ":2: found an empty label, expected a class");
  EXPECT_EQ(error("text,label\n\"x,1\n"),
            ":2: found a quote that is never closed, expected a closing '\"'");
  EXPECT_THAT(error("text,label\nx\xff,1\n"),
              StartsWith(":2: found the byte 0xff at offset 12, expected UTF-8; if it is Western"));
  EXPECT_EQ(error(std::string("text,label\nx,1\n\0,1\n", 19)),
            ":3: found a NUL byte at offset 15, expected text");
}

TEST_F(Csv, RefusesThousandsOfClasses) {
  std::string content = "text,label\n";
  for (int i = 0; i <= 1000; ++i) content += "x,l" + std::to_string(i) + "\n";
  EXPECT_EQ(
      error(content),
      ":1002: found more than 1000 distinct labels in the column \"label\", expected classes");
}

TEST_F(Csv, TenMegabytesInALine) {
  const std::string text(10 << 20, 'x');
  EXPECT_EQ(read("text,label\n\"" + text + "\",1\n").examples[0].text, text);
}

TEST_F(Csv, ReadsTheSplitOfAFolder) {
  write_file_atomically(folder_.path() / "train.csv", "text,label\nx,1\n");
  options_.path = folder_.path();
  options_.split = "train";
  EXPECT_EQ(read_dataset(options_).examples[0].text, "x");
  options_.split = "test";
  EXPECT_EQ(
      error_of([&] { read_dataset(options_); }),
      folder_.path().string() + ": found no test.csv in the folder, expected one, or test.csv.gz");
}

TEST_F(Csv, WithoutAHeader) {
  const Dataset dataset = read("\"2\",\"good film\"\n\"1\",\"bad, bad film\"\n2,fine\n");
  EXPECT_EQ(dataset.classes, (Strings{"1", "2"}));
  EXPECT_EQ(labels(dataset), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(dataset.examples[0].text, "good film");
  EXPECT_EQ(dataset.examples[0].id, 0u);
  EXPECT_EQ(dataset.description, path().string() +
                                     " as csv without a header: label in column 1, text in column "
                                     "2; classes: 1, 2");
  EXPECT_EQ(error("1,x y\n2,y z\n1\n"), ":3: found 1 column, expected 2 as in line 1");
  EXPECT_EQ(error("1,x y\n,y z\n"), ":2: found an empty label, expected a class");
}

TEST_F(Csv, WithoutAHeaderNumbersOrTheCallerDecide) {
  options_.text_column = "1";
  options_.label_column = "2";
  EXPECT_EQ(read("good film,pos\nbad film,neg\n").classes, (Strings{"neg", "pos"}));
  options_ = {};
  options_.format = "csv";
  EXPECT_EQ(error("good film,pos\nbad film,neg\n"),
            ":1: found the columns \"good film\", \"pos\", expected one named \"text\"");
  options_.header = false;
  EXPECT_EQ(read("good film,pos\nbad film,neg\n").examples.size(), 2u);
  EXPECT_EQ(read("label,text\npos,good film\n").examples.size(), 2u);
}

TEST_F(Csv, FourNumbersAreNoNamesOfAgNews) {
  const Dataset dataset = read("3,A title,A text\n1,Other,And text\n2,b,c d\n4,e f,g h\n");
  EXPECT_EQ(dataset.classes, (Strings{"1", "2", "3", "4"}));
  EXPECT_EQ(dataset.examples[0].text, "A title A text");
  EXPECT_EQ(dataset.description,
            path().string() +
                " as csv without a header: label in column 1, text in column 2 and column 3; the "
                "format ag-news has names for AG's classes; classes: 1, 2, 3, 4");
}

TEST_F(Csv, SaysHowItWasRead) {
  EXPECT_EQ(read("Text,score\nx,1\n").description,
            path().string() + " as csv with a header: text in the column \"Text\"; no labels");
  options_.classes = {"neg", "pos"};
  EXPECT_EQ(
      read("text,Label\nx,1\n").description,
      path().string() +
          " as csv with a header: label in the column \"Label\", text in the column \"text\"; "
          "labels are numbers of classes, from 0; classes: neg, pos");
  options_.classes.clear();
  std::string many = "text,label\n";
  for (int i = 10; i < 30; ++i) many += "x," + std::to_string(i) + "\n";
  EXPECT_THAT(read(many).description,
              EndsWith("; classes: 10, 11, 12, 13, 14, 15, 16, 17, 18, 19 and 10 more"));
}

TEST_F(Csv, AnEmptyLabelColumnMeansNoLabels) {
  options_.label_column = "";
  EXPECT_EQ(labels(read("text,label\nx,1\n")), std::vector<int>{kNoLabel});
}

TEST_F(Tsv, WithoutAHeader) {
  const Dataset dataset = read("a good film\tpos\na bad film\tneg\na film\tpos\n");
  EXPECT_EQ(labels(dataset), (std::vector<int>{1, 0, 1}));
  EXPECT_EQ(dataset.description, path().string() +
                                     " as tsv without a header: label in column 2, text in column "
                                     "1; classes: neg, pos");
}

TEST_F(Tsv, QuotesAreOrdinaryBytes) {
  const Dataset dataset = read("label\ttext\r\n1\t\"open quote\r\n\r\n0\ta \"b\" c\r\n");
  EXPECT_EQ(dataset.examples.at(0).text, "\"open quote");
  EXPECT_EQ(dataset.examples.at(1).text, "a \"b\" c");
  EXPECT_EQ(labels(dataset), (std::vector<int>{1, 0}));
}

TEST_F(Tsv, Malformed) {
  EXPECT_EQ(error("label\ttext\n1 x\n"), ":2: found 1 column, expected 2 (label, text)");
  EXPECT_EQ(error("label\ttext\n1\tx\ty\n"), ":2: found 3 columns, expected 2 (label, text)");
  EXPECT_EQ(error("label\ttext\n\tx\n"), ":2: found an empty label, expected a class");
}

TEST_F(Jsonl, ReadsTextsAndLabels) {
  const Dataset dataset = read(
      "{\"text\":\"a \\u00e9\",\"label\":1}\n\n{\"label\":\"0\",\"text\":\"b\"}\r\n"
      "{\"label\":1.5,\"text\":\"c\"}");
  EXPECT_EQ(dataset.classes, (Strings{"0", "1", "1.5"}));
  EXPECT_EQ(labels(dataset), (std::vector<int>{1, 0, 2}));
  EXPECT_EQ(dataset.examples[0].text, "a é");
  EXPECT_EQ(dataset.examples[2].id, 2u);
}

TEST_F(Jsonl, LabelsMayBeTruthValues) {
  const Dataset dataset =
      read("{\"text\":\"a\",\"label\":true}\n{\"text\":\"b\",\"label\":false}\n");
  EXPECT_EQ(dataset.classes, (Strings{"false", "true"}));
}

TEST_F(Jsonl, LabelsStandOnEveryLineOrOnNone) {
  EXPECT_EQ(labels(read("{\"text\":\"a\"}\n{\"text\":\"b\"}\n")),
            (std::vector<int>{kNoLabel, kNoLabel}));
  EXPECT_EQ(error("{\"text\":\"a\",\"label\":1}\n{\"text\":\"b\"}\n"),
            ":2: found the keys \"text\", expected one named \"label\"");
  EXPECT_EQ(error("{\"text\":\"a\",\"label\":null}\n"),
            ":1: found an empty label, expected a class");
  options_.label_column = "class";
  EXPECT_EQ(error("{\"text\":\"a\"}\n"),
            ":1: found the keys \"text\", expected one named \"class\"");
}

TEST_F(Jsonl, KeysWithoutRegardToCase) {
  const Dataset dataset = read("{\"TEXT\":\"a\",\"Label\":1}\n{\"text\":\"b\",\"label\":0}\n");
  EXPECT_EQ(dataset.examples[0].text, "a");
  EXPECT_EQ(labels(dataset), (std::vector<int>{1, 0}));
  EXPECT_EQ(read("{\"Text\":\"a\",\"text\":\"b\"}\n").examples[0].text, "b");
  EXPECT_EQ(error("{\"Text\":\"a\",\"TEXT\":\"b\"}\n"),
            ":1: found two keys for \"text\" (\"Text\" and \"TEXT\"), expected one");
}

TEST_F(Json, ReadsAnArrayOfObjects) {
  const Dataset dataset =
      read("[{\"text\": \"a ]}\", \"label\": true},\n {\"label\": false,\n  \"text\": \"b\"}]\n");
  EXPECT_EQ(dataset.classes, (Strings{"false", "true"}));
  EXPECT_EQ(dataset.examples[0].text, "a ]}");
  EXPECT_EQ(dataset.examples[1].id, 1u);
  EXPECT_EQ(labels(dataset), (std::vector<int>{1, 0}));
  EXPECT_EQ(
      dataset.description,
      path().string() +
          " as json: text in the key \"text\", label in the key \"label\"; classes: false, true");
}

TEST_F(Json, Malformed) {
  EXPECT_EQ(error("[]"), ": found no texts, expected at least one (json, test)");
  EXPECT_EQ(error("[{\"text\":\"a\"},\n{\"words\":\"b\"}]"),
            ":2: found the keys \"words\", expected one named \"text\"");
  EXPECT_THAT(error("[{\"text\":\"a\"},\n{\"text\" \"b\"}]"),
              StartsWith(":2: found malformed JSON ("));
  const std::string deep(100000, '[');
  EXPECT_THAT(error("[{\"text\":\"a\"},\n{\"text\":" + deep + std::string(100000, ']') + "}]"),
              StartsWith(":2: found malformed JSON ("));
  EXPECT_THAT(error("[{\"text\":" + deep), StartsWith(":1: found "));
  EXPECT_THAT(error(deep), StartsWith(":1: found "));
  EXPECT_THAT(error("[{\"text\":\"a\",\"label\":1e999}]"),
              StartsWith(":1: found malformed JSON ("));
  EXPECT_EQ(error("{\"text\":\"a\"}"),
            ":1: found \"{\"text\":\"a\"}\", expected '[' of a JSON array of objects");
  EXPECT_EQ(error("[{\"text\":\"a\",\"label\":1},\n{\"text\":\"b\"}]"),
            ":2: found the keys \"text\", expected one named \"label\"");
}

TEST_F(Jsonl, Malformed) {
  EXPECT_THAT(error("{\"text\":\"a\"}\n{\"text\":\"b\n"), StartsWith(":2: found malformed JSON ("));
  EXPECT_THAT(error("[\"a\"]\n"), StartsWith(":1: found malformed JSON ("));
  const std::string deep(100000, '[');
  EXPECT_THAT(error("{\"text\":\"a\"}\n{\"text\":" + deep + std::string(100000, ']') + "}\n"),
              StartsWith(":2: found malformed JSON ("));
  EXPECT_THAT(error("{\"text\":" + deep), StartsWith(":1: found malformed JSON ("));
  EXPECT_THAT(error("{\"text\":\"a\",\"label\":1e999}\n"),
              StartsWith(":1: found malformed JSON ("));
  EXPECT_THAT(error("{\"text\":\"a\"} {\"text\":\"b\"}\n"),
              StartsWith(":1: found malformed JSON ("));
  EXPECT_EQ(error("{\"words\":\"a\",\"texts\":\"b\"}\n"),
            ":1: found the keys \"words\", \"texts\", expected one named \"text\"; did you mean "
            "'texts'?");
  EXPECT_EQ(error("{\"text\":7}\n"), ":1: found no string for the key \"text\", expected the text");
  EXPECT_EQ(error("{\"text\":\"a\\u0000\"}\n"), ":1: found a NUL character, expected text");
  EXPECT_EQ(error("{\"text\":\"a\",\"label\":[1]}\n"),
            ":1: found no single value for the key \"label\", expected a label");
  EXPECT_THAT(error("{\"text\":\"\xc3\"}\n"),
              StartsWith(":1: found the byte 0xc3 at offset 9, expected UTF-8; "));
  EXPECT_EQ(error(" \n"), ": found an empty file, expected texts");
}

TEST_F(Jsonl, TenMegabytesInALine) {
  const std::string text(10 << 20, 'x');
  EXPECT_EQ(read("{\"text\":\"" + text + "\"}").examples[0].text, text);
}

std::vector<std::string> keys(const Dataset& dataset) {
  std::vector<std::string> all;
  for (const Example& example : dataset.examples) all.push_back(example.key.value_or("none"));
  return all;
}

TEST_F(Csv, KeepsTheTextsOwnIds) {
  EXPECT_EQ(keys(read("id,text\nr-1,a\n\"7, 8\",b\n,c\n")), (Strings{"r-1", "7, 8", "none"}));
  EXPECT_EQ(keys(read("text,label\na,1\n")), (Strings{"none"}));
  options_.id_column = "tweet";
  EXPECT_EQ(keys(read("id,tweet,text\n1,t9,a\n")), (Strings{"t9"}));
  EXPECT_EQ(error("id,text\n1,a\n"),
            ":1: found the columns \"id\", \"text\", expected one named \"tweet\"");
  options_.id_column = "1";  // of a table without a header
  EXPECT_EQ(keys(read("t9,0,good film\nt8,1,bad film\n")), (Strings{"t9", "t8"}));
  options_.id_column = "id";  // nobody asked for either
  EXPECT_EQ(keys(read("Id,ID,text\nt9,t8,good film\n")), (Strings{"none"}));
  options_.id_column = "";
  EXPECT_EQ(keys(read(",id,text\n0,1,a\n")), (Strings{"none"}));
}

TEST_F(Tsv, KeepsTheTextsOwnIds) {
  EXPECT_EQ(keys(read("id\ttext\n41\ta\n42\tb\n")), (Strings{"41", "42"}));
}

TEST_F(Jsonl, KeepsTheTextsOwnIds) {
  EXPECT_EQ(keys(read("{\"id\": \"r-1\", \"text\": \"a\"}\n"
                      "{\"id\": 18446744073709551615, \"text\": \"b\"}\n"
                      "{\"id\": null, \"text\": \"c\"}\n"
                      "{\"id\": {\"of\": 1}, \"text\": \"d\"}\n"
                      "{\"text\": \"e\"}\n")),
            (Strings{"r-1", "18446744073709551615", "none", "none", "none"}));
  options_.id_column = "tweet";
  EXPECT_EQ(keys(read("{\"tweet\": -3, \"text\": \"a\"}\n")), (Strings{"-3"}));
  EXPECT_EQ(error("{\"id\": 1, \"text\": \"a\"}\n"),
            ":1: found the keys \"id\", \"text\", expected one named \"tweet\"");
  EXPECT_EQ(error("{\"tweet\": [1], \"text\": \"a\"}\n"),
            ":1: found no single value for the key \"tweet\", expected an id");
}

}  // namespace
}  // namespace textcrs
