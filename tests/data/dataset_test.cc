#include "textcrs/data/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <thread>

#include "text/temporary_folder.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

Dataset labelled(const std::vector<int>& labels) {
  Dataset dataset{"d", {"0", "1", "2"}, {}};
  for (size_t i = 0; i < labels.size(); ++i)
    dataset.examples.push_back({static_cast<uint32_t>(i), "text " + std::to_string(i), labels[i]});
  return dataset;
}

std::map<int, size_t> counts(const Dataset& dataset) {
  std::map<int, size_t> count;
  for (const Example& example : dataset.examples) ++count[example.label];
  return count;
}

std::vector<uint32_t> ids(const Dataset& dataset) {
  std::vector<uint32_t> all;
  for (const Example& example : dataset.examples) all.push_back(example.id);
  return all;
}

TEST(KeepStratified, SharesByLargestRemainder) {
  // 6, 3 and 1 of 10 make 2.4, 1.2 and 0.4 of 4: the rest goes to the first of the two 0.4.
  Dataset dataset = labelled({0, 0, 0, 0, 0, 0, 1, 1, 1, 2});
  keep_stratified(dataset, 4, 1);
  EXPECT_EQ(counts(dataset), (std::map<int, size_t>{{0, 3}, {1, 1}}));
}

TEST(KeepStratified, LimitsThatKeepAll) {
  for (const size_t limit : {0, 3, 4}) {
    Dataset dataset = labelled({0, 1, 2});
    keep_stratified(dataset, limit, 1);
    EXPECT_EQ(ids(dataset), (std::vector<uint32_t>{0, 1, 2}));
  }
}

TEST(KeepStratified, TheSeedChooses) {
  const std::vector<int> labels(1000, kNoLabel);
  Dataset a = labelled(labels), b = labelled(labels), c = labelled(labels);
  keep_stratified(a, 100, 1);
  keep_stratified(b, 100, 1);
  keep_stratified(c, 100, 2);
  EXPECT_EQ(ids(a), ids(b));
  EXPECT_NE(ids(a), ids(c));
}

TEST(KeepStratified, Laws) {
  EXPECT_TRUE(rc::check([] {
    const auto labels = *rc::gen::container<std::vector<int>>(rc::gen::inRange(-1, 3));
    const auto limit = *rc::gen::inRange<size_t>(0, 60);
    const Dataset whole = labelled(labels);
    Dataset part = whole;
    keep_stratified(part, limit, 7);
    const size_t all = labels.size();
    const size_t expected = limit == 0 || limit > all ? all : limit;
    RC_ASSERT(part.examples.size() == expected);
    const auto kept = ids(part);
    RC_ASSERT(std::is_sorted(kept.begin(), kept.end()));
    RC_ASSERT(std::set<uint32_t>(kept.begin(), kept.end()).size() == kept.size());
    for (const Example& example : part.examples) {
      RC_ASSERT(example.text == whole.examples[example.id].text);
      RC_ASSERT(example.label == labels[example.id]);
    }
    auto some = counts(part);
    for (const auto& [label, count] : counts(whole)) {
      const size_t share = expected * count / std::max<size_t>(all, 1);
      RC_ASSERT(some[label] >= share);
      RC_ASSERT(some[label] <= share + 1);
    }
  }));
}

TEST(ReadDataset, NamesTheKnownFormats) {
  std::vector<std::string> names;
  for (const DatasetFormat& format : dataset_formats()) names.push_back(format.name);
  EXPECT_EQ(names, (std::vector<std::string>{"imdb-json", "acl-imdb", "ag-news", "sms-spam", "csv",
                                             "tsv", "jsonl", "json", "fasttext", "lines"}));
  ReadOptions options;
  options.format = "xml";
  EXPECT_EQ(
      error_of([&] { read_dataset(options); }),
      "format \"xml\" is not known, expected auto, imdb-json, acl-imdb, ag-news, sms-spam, csv, "
      "tsv, jsonl, json, fasttext, lines");
  options.format = "fastext";
  EXPECT_THAT(error_of([&] { read_dataset(options); }),
              testing::EndsWith("; did you mean 'fasttext'?"));
  options = {};
  options.split = "dev";
  EXPECT_EQ(error_of([&] { read_dataset(options); }),
            "split \"dev\" is not known, expected train or test");
  options = {};
  options.path = "/no/such/file.csv";
  EXPECT_EQ(error_of([&] { read_dataset(options); }), "/no/such/file.csv: no such file or folder");
}

class Detection : public testing::Test {
 protected:
  // What auto makes of a file: the data set's name and its size, or the error.
  Dataset read(const std::string& name, const std::string& content, const std::string& open = "") {
    write_file_atomically(folder_.path() / name, content);
    ReadOptions options;
    options.path = folder_.path() / (open.empty() ? name : open);
    return read_dataset(options);
  }
  TemporaryFolder folder_;
};

TEST_F(Detection, ByNameAndContent) {
  EXPECT_EQ(read("a.csv", "text,label\nx,1\n").examples.at(0).text, "x");
  EXPECT_EQ(read("ag_news.csv", "\"3\",\"x\",\"y\"\n").name, "ag-news");
  EXPECT_EQ(read("c.tsv", "label\ttext\n1\tx\n").examples.at(0).text, "x");
  EXPECT_EQ(read("d.jsonl", "{\"text\":\"x\"}\n").examples.at(0).text, "x");
  EXPECT_EQ(read("e.ndjson", "{\"text\":\"x\"}\n").examples.at(0).text, "x");
  EXPECT_EQ(read("f.json", "{\"text\":\"x\"}\n").examples.at(0).text, "x");
  EXPECT_EQ(read("g.txt", "x y\nz\n").examples.size(), 2u);
  EXPECT_EQ(read("noextension", "x y\nz\n").examples.size(), 2u);
  std::string messages;
  for (int i = 0; i < 10; ++i) messages += "ham\thello " + std::to_string(i) + "\n";
  EXPECT_EQ(read("dataSet.txt", messages).name, "sms-spam");
  EXPECT_EQ(read("h.txt", messages).classes, (std::vector<std::string>{"ham"}));
  EXPECT_EQ(read("i.json", "[{\"text\":\"x\"}]").examples.at(0).text, "x");
}

TEST_F(Detection, LosesNothingOfAPipe) {
  ReadOptions options;
  options.path = folder_.path() / "pipe";
  ASSERT_EQ(mkfifo(options.path.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(options.path) << "x\ny\n"; });
  const Dataset dataset = read_dataset(options);
  writer.join();
  ASSERT_EQ(dataset.examples.size(), 2u);
  EXPECT_EQ(dataset.examples[0].text, "x");
}

TEST_F(Detection, Folders) {
  EXPECT_EQ(read("ag_news/test.csv", "\"3\",\"x\",\"y\"\n", "ag_news").name, "ag-news");
  EXPECT_EQ(read("mine/test.csv", "text,label\nx,1\n", "mine").name, "mine");
  EXPECT_EQ(read("tabs/test.tsv", "text\tlabel\nx\t1\n", "tabs").name, "tabs");
  EXPECT_EQ(read("objects/test.jsonl", "{\"text\":\"x\"}", "objects").name, "objects");
  EXPECT_EQ(
      error_of([&] { read("other/x.bin", "x", "other"); }),
      (folder_.path() / "other").string() +
          ": found a folder of no known format, expected test/pos or one of reviews.json, "
          "dataSet.txt, test.csv, test.tsv, test.jsonl, test.json, test.txt in it, or such a file "
          "with .gz at its end");
}

}  // namespace
}  // namespace textcrs
