#include "textcrs/text/word_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "model/expect_error.h"
#include "text/temporary_folder.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class WordLists : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.path() / name, std::ios::binary) << content;
    return (folder_.path() / name).string();
  }
  TemporaryFolder folder_;
};

TEST_F(WordLists, ClustersComeBack) {
  const Clusters clusters = {{"film", "movie"}, {"gut", "schön", "fein"}};
  save_clusters(folder_.path() / "c.txt", clusters);
  EXPECT_EQ(load_clusters(folder_.path() / "c.txt"), clusters);
}

TEST_F(WordLists, RefusesWhatIsNoCluster) {
  for (const char* line : {"film", "film  movie", "film ", " film movie", "", "a b\n\nc d"})
    EXPECT_THROW(load_clusters(write("c.txt", std::string(line) + "\n")), Error) << line;
  EXPECT_THAT(expect_error(ErrorKind::kBadInput,
                           [&] { load_clusters(write("c.txt", "film movie\nalone\n")); }),
              HasSubstr("c.txt:2: found \"alone\""));
  EXPECT_THROW(load_clusters(folder_.path() / "nowhere"), Error);
}

TEST_F(WordLists, StopWordsComeBack) {
  const StopWords list = find_stop_words(write("my-list.txt", "the\r\n\n  of \nund\n"));
  EXPECT_EQ(list.name, "my-list");
  EXPECT_THAT(list.words, ElementsAre("the", "of", "und"));
  save_stop_words(folder_.path() / "stop_words.txt", list);
  EXPECT_EQ(load_stop_words(folder_.path() / "stop_words.txt", "x").words, list.words);
}

TEST_F(WordLists, RefusesWhatIsNoList) {
  const auto refusal = [&](const std::string& content) {
    return expect_error(ErrorKind::kBadInput, [&] { find_stop_words(write("l.txt", content)); });
  };
  EXPECT_THAT(refusal("the\nof the\n"), HasSubstr("l.txt:2: found \"of the\""));
  EXPECT_THAT(refusal("the\nof\nthe\n"), HasSubstr("l.txt:3: found \"the\" again"));
  EXPECT_THAT(refusal("\n \n"), HasSubstr("empty"));
  EXPECT_THAT(refusal("the\n\xff\n"), HasSubstr("UTF-8"));
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [] { find_stop_words("nowhere/list.txt"); }),
              HasSubstr("built in is english"));
}

TEST_F(WordLists, AListIsCalledAsItsFile) {
  EXPECT_EQ(stop_list_name("english"), "english");
  EXPECT_EQ(stop_list_name("folder/my_list-2.txt"), "my_list-2");
  EXPECT_EQ(stop_list_name("german"), "german");
  for (const char* list : {"", "/", "my list.txt", "a/english.txt", "./english", "über.txt"})
    EXPECT_THROW(stop_list_name(list), Error) << list;
}

TEST(EnglishStopWords, AreWordsOfTextsAndNoNegations) {
  const std::vector<std::string>& words = english_stop_words();
  EXPECT_GE(words.size(), 130u);
  EXPECT_LE(words.size(), 180u);
  const std::set<std::string> set(words.begin(), words.end());
  EXPECT_EQ(set.size(), words.size());
  for (const std::string& word : words) EXPECT_TRUE(is_one_word(word)) << word;
  for (const char* word : {"the", "of", "is", "would", "i"})
    EXPECT_TRUE(set.contains(word)) << word;
  for (const char* word : {"not", "no", "never", "nor", "neither", "none", "nothing", "nobody",
                           "without", "but", "only", "too", "very", "more", "most", "us"})
    EXPECT_FALSE(set.contains(word)) << word;
  EXPECT_EQ(find_stop_words("english").words, words);
}

}  // namespace
}  // namespace textcrs
