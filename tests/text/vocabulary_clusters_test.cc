// Clusters and stop words of a vocabulary.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/expect_error.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Clusters kFilms = {{"film", "movie", "picture"}, {"good", "fine"}};

Vocabulary films(Vocabulary::Growth growth = Vocabulary::Growth::kClosed) {
  return Vocabulary({"the", "film", "good", "bad"}, growth).with_clusters(kFilms);
}

TEST(VocabularyClusters, TheWordsOfAClusterAreOneWord) {
  const Vocabulary words = films();
  EXPECT_EQ(words.size(), 7);
  EXPECT_EQ(words.id("movie"), words.id("film"));
  EXPECT_EQ(words.id("fine"), 5);
  EXPECT_EQ(words.word(words.id("picture")), "film");
  EXPECT_TRUE(words.holds("movie"));
  EXPECT_FALSE(words.holds("story"));
  EXPECT_THAT(words.encode({"the", "picture", "fine", "movie", "story"}),
              ElementsAre(3, 4, 5, 4, kUnk));
  EXPECT_EQ(words.clusters(), kFilms);
  EXPECT_THROW(words.word(7), std::out_of_range);
}

TEST(VocabularyClusters, AnOpenVocabularyReadsTheFirstWordForAnAlias) {
  const Vocabulary words = films(Vocabulary::Growth::kOpen);
  OwnWords own;
  EXPECT_THAT(words.encode({"movie", "story", "fine", "plot"}, own), ElementsAre(4, 7, 5, 8));
  EXPECT_THAT(own.list(), ElementsAre("story", "plot"));
  EXPECT_EQ(words.word(7, own.list()), "story");
}

TEST(VocabularyClusters, SpellingsTellTheWordsApart) {
  const Vocabulary words = films(), spellings = words.spellings();
  EXPECT_EQ(spellings.size(), 10);
  EXPECT_TRUE(spellings.clusters().empty());
  for (WordId id = 0; id < words.size(); ++id) {
    EXPECT_EQ(spellings.word(id), words.word(id));
    EXPECT_EQ(words.id_of_spelling(id), id);
  }
  for (WordId id = 0; id < spellings.size(); ++id)
    if (id >= kFirstWord) EXPECT_EQ(words.id_of_spelling(id), words.id(spellings.word(id)));
  EXPECT_NE(spellings.id("movie"), spellings.id("film"));
  EXPECT_THROW(words.id_of_spelling(10), std::out_of_range);
}

TEST(VocabularyClusters, WithoutAliasesNothingChanges) {
  const Vocabulary plain({"a", "b"});
  const Vocabulary alone = plain.with_clusters({{"a"}});
  EXPECT_TRUE(alone.clusters().empty());
  EXPECT_EQ(alone.size(), plain.size());
  EXPECT_EQ(alone.spellings().size(), plain.size());
}

TEST(VocabularyClusters, RefusesWhatIsNoPartition) {
  const Vocabulary plain({"film", "good", "bad"});
  const auto refusal = [&](const Clusters& clusters) {
    return expect_error(ErrorKind::kBadInput, [&] { plain.with_clusters(clusters); });
  };
  EXPECT_THAT(refusal({{"movie", "film"}}), HasSubstr("\"movie\" as a first word"));
  EXPECT_THAT(refusal({{"<unk>", "movie"}}), HasSubstr("as a first word"));
  EXPECT_THAT(refusal({{"film", "good"}}), HasSubstr("expected different words"));
  EXPECT_THAT(refusal({{"film", "movie"}, {"good", "movie"}}), HasSubstr("different words"));
  EXPECT_THAT(refusal({{"film", "movie"}, {"movie", "picture"}}), HasSubstr("as a first word"));
  EXPECT_THAT(refusal({{"film", "the movie"}}), HasSubstr("without a space"));
  EXPECT_THAT(refusal({{"film", ""}}), HasSubstr("expected a word"));
  EXPECT_THAT(refusal({{"film", "movie"}, {"film", "picture"}}), HasSubstr("of no other cluster"));
  EXPECT_THROW(films().with_clusters({{"bad", "poor"}}), std::logic_error);
}

TEST(VocabularyClusters, ATableByClustersHasTheCandidatesOfAllTheirWords) {
  const Vocabulary words = films();  // the 3, film 4, good 5, bad 6; movie 7, picture 8, fine 9
  const SynonymTable spelled("test",
                             {{}, {}, {}, {}, {7, 6}, {9}, {4, 8}, {4, 8}, {7, 6, 9}, {5, 8}});
  ASSERT_TRUE(spelled.is_symmetric());
  const SynonymTable read = spelled.by_clusters(words);
  EXPECT_EQ(read.source(), "test");
  EXPECT_EQ(read.size(), words.size());
  EXPECT_THAT(read.of(3), ElementsAre());
  EXPECT_THAT(read.of(4), ElementsAre(6, 5));  // bad by film, good by picture
  EXPECT_THAT(read.of(5), ElementsAre(4));
  EXPECT_THAT(read.of(6), ElementsAre(4));
  EXPECT_TRUE(read.is_symmetric());
}

TEST(VocabularyStopWords, AreMarked) {
  const Vocabulary words = films().with_stop_words({"some", {"the"}});
  EXPECT_TRUE(words.is_stop_word(3));
  for (const WordId id : {-1, 0, 1, 2, 4, 5, 6, 7, 1000})
    EXPECT_FALSE(words.is_stop_word(id)) << id;
  EXPECT_EQ(words.stop_words().name, "some");
  EXPECT_THAT(words.stop_words().words, ElementsAre("the"));
  EXPECT_TRUE(films().stop_words().name.empty());
  EXPECT_EQ(words.clusters(), kFilms);
  EXPECT_TRUE(words.spellings().stop_words().name.empty());
}

TEST(VocabularyStopWords, RefusesWordsThatItDoesNotHoldOrReadsAsAnother) {
  const auto refusal = [&](const std::string& word) {
    return expect_error(ErrorKind::kBadInput, [&] { films().with_stop_words({"some", {word}}); });
  };
  EXPECT_THAT(refusal("a"), HasSubstr("words of the vocabulary"));
  EXPECT_THAT(refusal("<mask>"), HasSubstr("words of the vocabulary"));
  EXPECT_THAT(refusal("movie"), HasSubstr("in a cluster"));
  EXPECT_THAT(refusal("film"), HasSubstr("in a cluster"));
}

}  // namespace
}  // namespace textcrs
