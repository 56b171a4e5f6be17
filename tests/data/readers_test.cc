#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/gzip.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/data/dataset.h"

namespace textcrs {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;
using Strings = std::vector<std::string>;

class Readers : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) {
    write_file_atomically(folder_.path() / name, content);
  }
  Dataset read(const std::string& name, const std::string& format,
               const std::string& split = "test") {
    options_.path = folder_.path() / name;
    options_.format = format;
    options_.split = split;
    return read_dataset(options_);
  }
  // The error, without the folder's name in front.
  std::string error(const std::string& name, const std::string& format) {
    const std::string message = error_of([&] { read(name, format); });
    const std::string front = folder_.path().string() + "/";
    return message.starts_with(front) ? message.substr(front.size()) : message;
  }
  TemporaryFolder folder_;
  ReadOptions options_;
};

// 50,000 entries whose texts are their numbers; `change` may alter one.
std::string imdb(size_t entries = 50000, size_t change = SIZE_MAX, const std::string& with = "") {
  std::string all = "[";
  for (size_t i = 0; i < entries; ++i) {
    if (i > 0) all += ",";
    if (i == change)
      all += with;
    else
      all += "{\"t\":\"" + std::to_string(i) + "\",\"s\":" + (i < 25000 ? "0}" : "1}");
  }
  return all + "]";
}

TEST_F(Readers, ImdbJsonSplitsByIndex) {
  write("reviews.json", imdb());
  for (const std::string split : {"test", "train"}) {
    const Dataset dataset = read("reviews.json", "imdb-json", split);
    EXPECT_EQ(dataset.name, "imdb");
    EXPECT_EQ(dataset.classes, (Strings{"negative", "positive"}));
    ASSERT_EQ(dataset.examples.size(), 25000u);
    const size_t offset = split == "test" ? 0 : 12500;
    for (const size_t id : {0, 12499, 12500, 24999}) {
      const Example& example = dataset.examples[id];
      EXPECT_EQ(example.id, id);
      EXPECT_EQ(example.label, id < 12500 ? 0 : 1);
      EXPECT_EQ(example.text, std::to_string(offset + id + (id < 12500 ? 0 : 12500)));
    }
  }
  EXPECT_EQ(read("", "auto").examples.size(), 25000u);
}

TEST_F(Readers, ImdbJsonMalformed) {
  write("reviews.json", imdb(49999));
  EXPECT_EQ(error("reviews.json", "imdb-json"),
            "reviews.json: found 49999 entries, expected 50000");
  write("reviews.json", imdb(50001));
  EXPECT_EQ(error("reviews.json", "imdb-json"),
            "reviews.json: found 50001 entries, expected 50000");
  write("reviews.json", imdb(50000, 30000, "{\"t\":\"x\",\"s\":0}"));
  EXPECT_EQ(error("reviews.json", "imdb-json"),
            "reviews.json: found \"s\": 0 in entry 30000, expected 1 at this place");
  write("reviews.json", imdb(50000, 7, "{\"t\":\"x\"}"));
  EXPECT_EQ(error("reviews.json", "imdb-json"),
            "reviews.json: found something else as entry 7, expected {\"t\": text, \"s\": 0 or 1}");
  write("reviews.json", imdb(50000, 7, "8"));
  EXPECT_EQ(error("reviews.json", "imdb-json"),
            "reviews.json: found something else as entry 7, expected {\"t\": text, \"s\": 0 or 1}");
  write("reviews.json", imdb(50000, 7, "{\"t\":\"x\\u0000\",\"s\":0}"));
  EXPECT_EQ(error("reviews.json", "imdb-json"),
            "reviews.json: found a NUL character in entry 7, expected text");
  write("reviews.json", imdb(10).substr(0, 50));
  EXPECT_THAT(error("reviews.json", "imdb-json"),
              StartsWith("reviews.json: found malformed JSON ("));
  write("reviews.json", std::string(100000, '['));
  EXPECT_THAT(error("reviews.json", "imdb-json"),
              StartsWith("reviews.json: found malformed JSON ("));
  write("reviews.json", "{\"t\":\"x\"}");
  EXPECT_THAT(error("reviews.json", "imdb-json"),
              HasSubstr("expected an array of {\"t\": text, \"s\": 0 or 1}"));
  write("reviews.json", "");
  EXPECT_EQ(error("reviews.json", "imdb-json"),
            "reviews.json: found an empty file, expected texts");
}

TEST_F(Readers, AgNews) {
  write("ag/test.csv", "\"3\",\"Title\",\"Some \"\"text\"\"\"\n\"1\",\"All in one\"\n");
  write("ag/train.csv", "Class Index,Title,Description\n4,a,b\n");
  const Dataset test = read("ag", "ag-news");
  EXPECT_EQ(test.classes, (Strings{"World", "Sports", "Business", "Sci/Tech"}));
  ASSERT_EQ(test.examples.size(), 2u);
  EXPECT_EQ(test.examples[0].text, "Title Some \"text\"");
  EXPECT_EQ(test.examples[0].label, 2);
  EXPECT_EQ(test.examples[1].text, "All in one");
  EXPECT_EQ(test.examples[1].label, 0);
  const Dataset train = read("ag", "ag-news", "train");
  ASSERT_EQ(train.examples.size(), 1u);
  EXPECT_EQ(train.examples[0].label, 3);
  EXPECT_EQ(read("ag/train.csv", "ag-news").examples[0].text, "a b");
}

TEST_F(Readers, AgNewsMalformed) {
  write("a.csv", "\"1\",\"x\"\n\"5\",\"y\"\n");
  EXPECT_EQ(error("a.csv", "ag-news"), "a.csv:2: found the class \"5\", expected 1, 2, 3 or 4");
  write("a.csv", "\"1\"\n");
  EXPECT_EQ(error("a.csv", "ag-news"),
            "a.csv:1: found 1 column, expected 2 (class, text) or 3 (class, title, description)");
  write("a.csv", "\"1\",\"x\n");
  EXPECT_EQ(error("a.csv", "ag-news"),
            "a.csv:1: found a quote that is never closed, expected a closing '\"'");
}

TEST_F(Readers, FormatsWithClassesFollowTheGivenOnesByName) {
  write("a.csv", "1,x\n4,y\n");
  options_.classes = {"sci/tech", "business", "sports", "world"};
  const Dataset dataset = read("a.csv", "ag-news");
  EXPECT_EQ(dataset.classes, options_.classes);
  EXPECT_EQ(dataset.examples[0].label, 3);
  EXPECT_EQ(dataset.examples[1].label, 0);
  options_.classes = {"0", "1", "2", "3"};
  EXPECT_EQ(
      error("a.csv", "ag-news"),
      "a.csv: found the classes World, Sports, Business, Sci/Tech, expected them among 0, 1, 2, "
      "3");
  options_.classes = {"WORLD", "World", "Sports", "Business", "Sci/Tech"};
  EXPECT_EQ(read("a.csv", "ag-news").examples[0].label, 1);
  options_.classes[1] = "world";
  EXPECT_EQ(error("a.csv", "ag-news"),
            "a.csv: found two classes for \"World\" (\"WORLD\" and \"world\"), expected one");
}

TEST_F(Readers, AclImdb) {
  write("acl/test/pos/10_9.txt", "good");
  write("acl/test/pos/0_7.txt", "fine");
  write("acl/test/neg/1_2.txt", "bad");
  write("acl/test/neg/readme.md", "no review");
  write("acl/test/unsup/0_0.txt", "unknown");
  const Dataset dataset = read("acl", "auto");
  EXPECT_EQ(dataset.classes, (Strings{"negative", "positive"}));
  Strings texts;
  for (const Example& example : dataset.examples) {
    EXPECT_EQ(example.id, texts.size());
    EXPECT_EQ(example.label, texts.empty() ? 0 : 1);
    texts.push_back(example.text);
  }
  EXPECT_EQ(texts, (Strings{"bad", "fine", "good"}));
  EXPECT_EQ(error_of([&] { read("acl", "acl-imdb", "train"); }),
            (folder_.path() / "acl/train/neg").string() +
                ": found no such folder, expected the reviews of one class, one .txt file each");
  write("acl/test/neg/2_1.txt", "\xfe");
  EXPECT_EQ(
      error("acl", "acl-imdb"),
      "acl/test/neg/2_1.txt:1: found the byte 0xfe at offset 0, expected UTF-8; if it is Western "
      "European text of Windows: iconv -f WINDOWS-1252 -t UTF-8 '" +
          (folder_.path() / "acl/test/neg/2_1.txt").string() + "' > '2_1-utf8.txt'");
}

TEST_F(Readers, Lines) {
  write("l.txt", "first\r\n\n  \nlast");
  options_.classes = {"a", "b"};
  const Dataset dataset = read("l.txt", "lines");
  EXPECT_EQ(dataset.classes, options_.classes);
  ASSERT_EQ(dataset.examples.size(), 2u);
  EXPECT_EQ(dataset.examples[0].text, "first");
  EXPECT_EQ(dataset.examples[0].label, kNoLabel);
  EXPECT_EQ(dataset.examples[1].text, "last");
  EXPECT_EQ(dataset.examples[1].id, 3u);
  write("l.txt", std::string("a\nb\0", 4));
  EXPECT_EQ(error("l.txt", "lines"), "l.txt:2: found a NUL byte at offset 3, expected text");
}

TEST_F(Readers, Fasttext) {
  write("f.txt",
        "__label__pos a good film\n\n\t__label__neg  bad  film \r\na film __label__pos ok\n");
  const Dataset dataset = read("f.txt", "auto");
  EXPECT_EQ(dataset.name, "f");
  EXPECT_EQ(dataset.classes, (Strings{"neg", "pos"}));
  ASSERT_EQ(dataset.examples.size(), 3u);
  EXPECT_EQ(dataset.examples[0].text, "a good film");
  EXPECT_EQ(dataset.examples[0].label, 1);
  EXPECT_EQ(dataset.examples[1].text, "bad  film");
  EXPECT_EQ(dataset.examples[1].label, 0);
  EXPECT_EQ(dataset.examples[2].text, "a film ok");
  EXPECT_EQ(dataset.examples[2].id, 2u);
  EXPECT_THAT(dataset.description,
              EndsWith("f.txt as fasttext: one text per line, its label the word __label__CLASS; "
                       "classes: neg, pos"));
  write("f/train.txt", "__label__a x\n");
  EXPECT_EQ(read("f", "fasttext", "train").examples[0].text, "x");
  options_.classes = {"POS", "NEG"};
  EXPECT_EQ(read("f.txt", "auto").examples[0].label, 0);
}

TEST_F(Readers, FasttextMalformed) {
  write("f.txt", "__label__a x\n__label__a __label__b y\n");
  EXPECT_EQ(error("f.txt", "auto"),
            "f.txt:2: found 2 labels (a, b), expected one: a text has one class");
  write("f.txt", "__label__a x\ny\n");
  EXPECT_EQ(error("f.txt", "auto"), "f.txt:2: found no label, expected a word __label__CLASS");
  write("f.txt", "__label__ x\n");
  EXPECT_EQ(error("f.txt", "auto"), "f.txt:1: found an empty label, expected a class");
}

TEST_F(Readers, EveryFormatMayBePacked) {
  write("a.csv.gz", gzip("\xef\xbb\xbftext,label\nx,1\n"));
  write("plain.csv.gz", "text,label\nx,1\n");  // its bytes decide, not its name
  write("b.jsonl", gzip("{\"text\":\"x\"}"));
  write("c.txt.gz", gzip("__label__1 x\n"));
  write("imdb/reviews.json.gz", gzip(imdb()));
  write("mine/test.tsv.gz", gzip("text\tlabel\nx\t1\n"));
  write("acl/test/pos/1.txt", gzip("x"));
  write("acl/test/neg/1.txt", "y");
  for (const std::string name : {"a.csv.gz", "plain.csv.gz", "b.jsonl", "c.txt.gz", "mine"})
    EXPECT_EQ(read(name, "auto").examples.at(0).text, "x") << name;
  EXPECT_EQ(read("a.csv.gz", "auto").name, "a");
  EXPECT_THAT(read("a.csv.gz", "auto").description,
              EndsWith("/a.csv.gz, unpacked, as csv with a header: label in the column \"label\", "
                       "text in the column \"text\"; classes: 1"));
  EXPECT_EQ(read("mine", "tsv").name, "mine");
  EXPECT_EQ(read("imdb", "auto").examples.size(), 25000u);
  EXPECT_EQ(read("acl", "auto").examples.at(1).text, "x");
  write("cut.csv.gz", gzip("text,label\nx,1\n").substr(0, 20));
  EXPECT_EQ(
      error("cut.csv.gz", "auto"),
      "cut.csv.gz: found the end of the file within gzip data, expected more: it was cut short");
  write("empty.csv.gz", gzip(""));
  EXPECT_EQ(error("empty.csv.gz", "auto"), "empty.csv.gz: found an empty file, expected texts");
}

TEST_F(Readers, SmsSpam) {
  write("dataSet.txt", "good\ta\nbad\tb\nham\tc\nspam\td\ngood\te f\tg\nbad\th\n");
  const Dataset test = read("", "auto"), train = read("dataSet.txt", "sms-spam", "train");
  EXPECT_EQ(test.classes, (Strings{"ham", "spam"}));
  ASSERT_EQ(test.examples.size(), 1u);
  EXPECT_EQ(test.examples[0].text, "e f\tg");
  ASSERT_EQ(train.examples.size(), 5u);
  const std::vector<int> expected = {0, 1, 0, 1, 1};
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_EQ(train.examples[i].id, i);
    EXPECT_EQ(train.examples[i].label, expected[i]);
  }
  write("dataSet.txt", "good\ta\nugly\tb\n");
  EXPECT_EQ(error("dataSet.txt", "sms-spam"),
            "dataSet.txt:2: found the label \"ugly\", expected ham, good, spam or bad");
  write("dataSet.txt", "good a\n");
  EXPECT_EQ(error("dataSet.txt", "sms-spam"),
            "dataSet.txt:1: found no tab, expected a label, a tab and a text");
  write("dataSet.txt", "good\ta\n");
  EXPECT_EQ(error("dataSet.txt", "sms-spam"),
            "dataSet.txt: found no texts, expected at least one (sms-spam, test)");
}

}  // namespace
}  // namespace textcrs
