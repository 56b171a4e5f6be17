#include "textcrs/text/synonyms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <string>
#include <vector>

#include "text/scratch_home.h"
#include "text/synonym_lists.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> words_of(const SynonymTable& table, const Vocabulary& vocabulary,
                                  const std::string& word) {
  std::vector<std::string> words;
  for (const WordId id : table.of(vocabulary.id(word))) words.push_back(vocabulary.word(id));
  return words;
}

TEST(SynonymTable, IsEmptyBeyondItsWords) {
  const SynonymTable table("test", {{}, {}, {}, {4}, {3}});
  EXPECT_THAT(table.of(3), ElementsAre(4));
  EXPECT_THAT(table.of(5), IsEmpty());
  EXPECT_THAT(table.of(-1), IsEmpty());
  EXPECT_EQ(SynonymTable().size(), 0);
}

TEST(SynonymTable, RefusesListsThatBreakItsRules) {
  using Lists = std::vector<std::vector<WordId>>;
  for (const Lists& lists : {Lists{{}, {}, {}, {3}}, Lists{{}, {}, {}, {4, 4}, {}},
                             Lists{{}, {3}, {}, {}}, Lists{{}, {}, {}, {kUnk}}})
    EXPECT_THROW(SynonymTable("test", lists), std::logic_error);
}

TEST(SynonymTable, OfWordsNamedTwiceTheFirstStays) {
  std::vector<std::vector<WordId>> lists = {{}, {3, 4, 3, 0, 4, 3}, {3, 3}, {4, 1}, {1, 4, 4, 1}};
  remove_repeats(lists);
  EXPECT_THAT(lists, ElementsAre(IsEmpty(), ElementsAre(3, 4, 0), ElementsAre(3), ElementsAre(4, 1),
                                 ElementsAre(1, 4)));
}

TEST(SynonymTable, SymmetricAppendsMissingDirectionsInOrder) {
  const SynonymTable table("test", {{}, {}, {}, {6}, {6, 3}, {6}, {5, 8}});
  EXPECT_FALSE(table.is_symmetric());
  EXPECT_THAT(table.one_sided(), testing::Optional(testing::Pair(6, 8)));
  EXPECT_FALSE(table.symmetric().one_sided());
  EXPECT_THAT(SynonymTable("test", {{}, {}, {}, {4}, {}}).one_sided(),
              testing::Optional(testing::Pair(3, 4)));
  const SynonymTable both = table.symmetric();
  EXPECT_TRUE(both.is_symmetric());
  EXPECT_EQ(both.source(), "test");
  EXPECT_THAT(both.of(3), ElementsAre(6, 4));
  EXPECT_THAT(both.of(6), ElementsAre(5, 8, 3, 4));
  EXPECT_THAT(both.of(8), ElementsAre(6));
}

TEST(SynonymTable, SymmetricIsTheSmallestSymmetricTableAboveAndKeepsTheRanking) {
  EXPECT_TRUE(rc::check([] {
    const int size = *rc::gen::inRange(kFirstWord, 12);
    std::vector<std::vector<WordId>> lists(static_cast<size_t>(size));
    for (WordId word = kFirstWord; word < size; ++word) {
      auto list = *rc::gen::unique<std::vector<WordId>>(rc::gen::inRange(kFirstWord, size));
      std::erase(list, word);
      lists[static_cast<size_t>(word)] = list;
    }
    const SynonymTable table("test", lists), both = table.symmetric();
    RC_ASSERT(both.is_symmetric());
    const auto in = [](const SynonymTable& t, WordId a, WordId b) {
      return std::ranges::find(t.of(a), b) != t.of(a).end();
    };
    for (WordId a = 0; a < size; ++a) {
      const auto before = table.of(a), after = both.of(a);
      RC_ASSERT(std::equal(before.begin(), before.end(), after.begin(),
                           after.begin() + static_cast<std::ptrdiff_t>(before.size())));
      RC_ASSERT(
          std::is_sorted(after.begin() + static_cast<std::ptrdiff_t>(before.size()), after.end()));
      if (const auto pair = table.one_sided()) {
        RC_ASSERT(in(table, pair->first, pair->second));
        RC_ASSERT(!in(table, pair->second, pair->first));
      } else {
        RC_ASSERT(table.of(a).size() == both.of(a).size());
      }
      for (WordId b = 0; b < size; ++b)
        RC_ASSERT(in(both, a, b) == (in(table, a, b) || in(table, b, a)));
    }
  }));
}

class SynonymFiles : public testing::Test {
 protected:
  std::string json_error(const std::string& content) {
    return error_of(
        [&] { SynonymTable::from_json(scratch_.write("s.json", content), vocabulary_); });
  }
  ScratchHome scratch_;
  Vocabulary vocabulary_{{"good", "great", "fine", "nice", "quote\"d"}};
};

TEST_F(SynonymFiles, JsonKeepsRankingAndLeavesOutStrangers) {
  const auto path = scratch_.write("s.json",
                                   R"({"good": ["fine", "alien", "good", "great", "fine", "<unk>"],
                                       "alien": ["good"], "<pad>": ["good"], "nice": []})");
  const SynonymTable table = SynonymTable::from_json(path, vocabulary_);
  EXPECT_EQ(table.size(), vocabulary_.size());
  EXPECT_THAT(words_of(table, vocabulary_, "good"), ElementsAre("fine", "great"));
  for (const WordId special : {kPad, kUnk, kMask}) EXPECT_THAT(table.of(special), IsEmpty());
  EXPECT_THAT(words_of(table, vocabulary_, "nice"), IsEmpty());
}

TEST_F(SynonymFiles, JsonErrorsNameThePlace) {
  EXPECT_THAT(json_error("[]"), EndsWith("s.json: found array at the top, expected an object of "
                                         "lists"));
  EXPECT_THAT(json_error(R"({"good": "fine"})"),
              EndsWith("s.json: \"good\": found string, expected a list of words"));
  EXPECT_THAT(json_error(R"({"alien": ["good", 7]})"),
              EndsWith("s.json: \"alien\"[1]: found number, expected a word"));
  EXPECT_THAT(json_error("{\"good\": [],\n\"fine\": [}"), HasSubstr("s.json:2: byte 23: not JSON"));
  EXPECT_THAT(json_error(""), HasSubstr("s.json: byte 1: not JSON"));
  EXPECT_THAT(json_error("{\"good\": " + std::string(100000, '[')),
              HasSubstr("s.json: byte 73: found more than"));
  EXPECT_THAT(json_error(R"({"good": [1e999]})"),
              HasSubstr("s.json: byte 15: found a number that is too"));
  EXPECT_THAT(json_error(R"({"good": [], "fine": [], "good": []})"),
              EndsWith("s.json: \"good\": appears twice in an object, expected once"));
  EXPECT_THAT(
      error_of([&] { SynonymTable::from_json(scratch_.folder() / "no.json", vocabulary_); }),
      HasSubstr("no.json: cannot be read"));
}

TEST_F(SynonymFiles, SavingAndLoadingRoundTrips) {
  const SynonymTable table("test", {{}, {}, {}, {5, 4, 7}, {3}, {}, {}, {3}});
  const fs::path path = scratch_.folder() / "saved.json";
  table.save_json(path, vocabulary_);
  const SynonymTable again = SynonymTable::from_json(path, vocabulary_);
  for (WordId word = 0; word < vocabulary_.size(); ++word)
    EXPECT_TRUE(std::ranges::equal(table.of(word), again.of(word))) << word;
  SynonymTable().save_json(path, vocabulary_);
  EXPECT_EQ(read_file(path), "{\n}\n");
}

TEST_F(SynonymFiles, VectorsGiveTheNearestWordsOfTheVocabularyAboveTheFloor) {
  // Cosine with "good": alien 1, great 0.96, fine 0.8, nice 0; a word outside takes no place.
  const auto source =
      scratch_.write("v.txt", "alien 10 0\nfine 4 3\ngood 1 0\nnice 0 1\ngreat 24 7\n");
  const WordVectors vectors = open_word_vectors(source);
  const auto list = [&](int count, double floor) {
    return words_of(SynonymTable::from_vectors(vectors, vocabulary_, count, floor), vocabulary_,
                    "good");
  };
  EXPECT_THAT(list(5, -1), ElementsAre("great", "fine", "nice"));
  EXPECT_THAT(list(5, 0.75), ElementsAre("great", "fine"));
  EXPECT_THAT(list(1, -1), ElementsAre("great"));
  const SynonymTable table = SynonymTable::from_vectors(vectors, vocabulary_, 5, 0.75);
  EXPECT_EQ(table.source(), "the 5 nearest words by cosine, at least 0.75 similar");
  EXPECT_EQ(table.size(), vocabulary_.size());
  EXPECT_THAT(words_of(table, vocabulary_, "quote\"d"), IsEmpty());
  EXPECT_EQ(SynonymTable::from_vectors(vectors, Vocabulary(), 5, 0).size(), kFirstWord);
}

class Wordnet : public testing::Test {
 protected:
  SynonymTable read(const std::string& adjectives, const std::string& nouns = "") {
    scratch_.write("dict/data.noun", "  1 the licence  \n" + nouns);
    scratch_.write("dict/data.verb", "  1 the licence  \n");
    scratch_.write("dict/data.adj", "  1 the licence  \n  2 more  \n" + adjectives);
    scratch_.write("dict/data.adv", "");
    return SynonymTable::from_wordnet(scratch_.folder() / "dict", vocabulary_);
  }
  ScratchHome scratch_;
  Vocabulary vocabulary_{{"good", "great", "fine", "nice", "paris", "used_to", "ill"}};
};

TEST_F(Wordnet, CountsSharedSynsetsThenGoesBySpelling) {
  const SynonymTable table = read(
      "00000001 00 a 04 nice 0 good 0 great 1 alien 0 000 | a gloss  \n"
      "00000002 00 s 02 good 1 nice(p) 2 001 & 00000001 a 0000 | another | one  \n"
      "00000003 00 a 02 ill(ip) 0 fine(a) f 000 | gloss  \n",
      "00000004 03 n 03 Paris 0 used_to 0 good 0 000 | gloss  \n");
  EXPECT_THAT(words_of(table, vocabulary_, "good"), ElementsAre("nice", "great", "paris"));
  EXPECT_THAT(words_of(table, vocabulary_, "nice"), ElementsAre("good", "great"));
  EXPECT_THAT(words_of(table, vocabulary_, "ill"), ElementsAre("fine"));
  EXPECT_THAT(words_of(table, vocabulary_, "used_to"), IsEmpty());
  EXPECT_TRUE(table.is_symmetric());
}

TEST_F(Wordnet, MalformedLinesAreNamed) {
  const auto error = [&](const std::string& line) {
    return error_of([&] { read("00000001 00 a 01 good 0 000 | gloss\n" + line + "\n"); });
  };
  EXPECT_THAT(error("00000002 00 a 02 good 0 000 | gloss"),
              EndsWith("data.adj:4: found the end of the fields, expected lex_id"));
  EXPECT_THAT(error("0000002 00 a 01 good 0 000 | gloss"),
              EndsWith("data.adj:4: the offset is '0000002', expected 8 digits"));
  EXPECT_THAT(error("00000002 00 q 01 good 0 000 | gloss"),
              EndsWith("data.adj:4: ss_type is 'q', expected n, v, a, s or r"));
  EXPECT_THAT(error("00000002 00 a 0g good 0 000 | gloss"),
              EndsWith("data.adj:4: w_cnt is '0g', expected 2 hexadecimal digits"));
  EXPECT_THAT(error("00000002 00 a 00 000 | gloss"), HasSubstr("data.adj:4: w_cnt is 00"));
  EXPECT_THAT(error("00000002 00 a 01 good 0 000"), HasSubstr("data.adj:4: found no ' | '"));
  EXPECT_THAT(error("00000002 00 a 01 good 0 | gloss"), HasSubstr("expected p_cnt"));
  EXPECT_THAT(error(""), HasSubstr("data.adj:4: "));
}

TEST_F(Wordnet, AMissingFileIsNamed) {
  read("");
  fs::remove(scratch_.folder() / "dict/data.verb");
  EXPECT_THAT(
      error_of([&] { SynonymTable::from_wordnet(scratch_.folder() / "dict", vocabulary_); }),
      HasSubstr("data.verb: cannot be read"));
}

}  // namespace
}  // namespace textcrs
