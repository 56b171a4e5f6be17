#include "data/sniff_format.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

std::string format(const std::string& path, const std::string& text) {
  return sniff_format({path, text});
}

TEST(SniffFormat, ByTheEndOfTheName) {
  EXPECT_EQ(format("a.csv", "text,label\nx,1\n"), "csv");
  EXPECT_EQ(format("a.CSV", "text,label\nx,1\n"), "csv");
  EXPECT_EQ(format("a.csv.gz", "text,label\nx,1\n"), "csv");
  EXPECT_EQ(format("a.tsv", "x\n"), "tsv");
  EXPECT_EQ(format("a.jsonl", "{\"text\":\"x\"}"), "jsonl");
  EXPECT_EQ(format("a.ndjson", "{\"text\":\"x\"}"), "jsonl");
  EXPECT_EQ(format("a.json", "{\"text\":\"x\"}"), "jsonl");
  EXPECT_EQ(format("a.txt", "x\n"), "lines");
  EXPECT_EQ(format("a", "x\n"), "lines");
}

TEST(SniffFormat, AnArrayIsAnArrayWhateverItsName) {
  for (const std::string name : {"a.json", "a.jsonl"}) {
    EXPECT_EQ(format(name, "[{\"text\": \"x\"}]"), "json");
    EXPECT_EQ(format(name, " [ {\"t\": \"x\", \"s\": 1}, 2"), "imdb-json");
    EXPECT_EQ(format(name, "[{\"t\": \"x\", \"s\": 1, \"u\": 2}]"), "json");
    EXPECT_EQ(format(name, "[]"), "json");
  }
}

TEST(SniffFormat, AgNewsIsRecognisedByItsNameAndShape) {
  const std::string rows = "\"3\",\"title\",\"text\"\n\"1\",\"title\",\"text\"\n";
  for (const std::string name :
       {"ag_news/train.csv", "x/AG-News_csv/train.csv", "agnews.csv", "ag_news_train.csv.gz"}) {
    EXPECT_EQ(format(name, rows), "ag-news") << name;
    EXPECT_EQ(format(name, "2,a text\n"), "ag-news") << name;
    EXPECT_EQ(format(name, rows + "\"5\",\"title\",\"text\"\n"), "csv") << name;
    EXPECT_EQ(format(name, "1,a,b,c\n"), "csv") << name;
    EXPECT_EQ(format(name, "text,label\nx,1\n"), "csv") << name;
  }
  EXPECT_EQ(format("a.csv", "\"2\",\"good film\"\n"), "csv");
  EXPECT_EQ(format("a.csv", rows), "csv");
  EXPECT_EQ(format("stag_news.csv", rows), "csv");
  EXPECT_EQ(format("a.csv", "Class Index,Title,Description\n" + rows), "ag-news");
  EXPECT_EQ(format("a.csv", "Class Index,Title,Description\n14,a,b\n"), "csv");
}

TEST(SniffFormat, SmsSpamIsRecognisedByItsNameAndLabels) {
  for (const std::string name : {"dataSet.txt", "x/SMSSpamCollection", "SMSSpamCollection.txt"}) {
    EXPECT_EQ(format(name, "ham\thello\nspam\twin\n"), "sms-spam");
    EXPECT_EQ(format(name, "good\thello\n"), "sms-spam");
    EXPECT_EQ(format(name, "hello\nyou\n"), "lines");
  }
  EXPECT_EQ(format("films.txt", "good\ta fine film\nbad\ta dull film\n"), "tsv");
}

TEST(SniffFormat, OtherNamesByTheirLines) {
  EXPECT_EQ(format("a.txt", "\n__label__pos good film\n"), "fasttext");
  EXPECT_EQ(format("a.train", "good film __label__pos\n"), "fasttext");
  EXPECT_EQ(format("a.txt", "what is __label or label__\n"), "lines");
  EXPECT_EQ(format("a.txt", "pos\tx\n\nneg\ty\n"), "tsv");
  EXPECT_EQ(format("a.txt", "one\ttab\n"), "lines");  // a single line says too little
  EXPECT_EQ(format("a.txt", "pos\tx\nneg\ty\tz\n"), "lines");
  EXPECT_EQ(format("a.txt", "pos\tx\nneg\n"), "lines");
  EXPECT_EQ(format("a.txt", "{\"text\": \"x\"}\n"), "jsonl");
  EXPECT_EQ(format("a.txt", "{sic} it is\n"), "lines");
}

}  // namespace
}  // namespace textcrs
