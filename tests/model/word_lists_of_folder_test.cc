// Clusters and stop words of a model: part of its folder and of its fingerprint.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "expect_error.h"
#include "folder_contents.h"
#include "small_model.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

// What makes the vocabulary, w0 .. w19, different.
struct Lists {
  std::string canonical = "test, of at most 3 words";
  Clusters clusters = {{"w1", "one", "eins"}, {"w4", "four"}};
  StopWords stop_words = {"some", {"w0", "w2"}};
  // Of w1, w4, one, eins and four: the ids 4, 7, 23, 24 and 25 of the spellings.
  std::vector<std::vector<WordId>> synonyms = [] {
    std::vector<std::vector<WordId>> lists(26);
    lists[4] = {23, 24};
    lists[23] = {4, 7};
    lists[24] = {4};
    lists[7] = {25, 23};
    lists[25] = {7};
    return lists;
  }();
};

class FolderWithLists : public testing::Test {
 protected:
  std::unique_ptr<Classifier> make(const Lists& lists) const {
    Vocabulary vocabulary(small_words());
    if (!lists.clusters.empty()) vocabulary = vocabulary.with_clusters(lists.clusters);
    if (!lists.stop_words.name.empty()) vocabulary = vocabulary.with_stop_words(lists.stop_words);
    ModelConfig config = small_config("cnn");
    config.canonical = lists.canonical;
    config.stop_words = lists.stop_words.name;
    config.noise = lists.stop_words.name.empty() ? "none" : "universal:p=0.5,stop=some";
    return Classifier::fresh(config, vocabulary, {"test", lists.synonyms},
                             small_vectors(folder_.path(), small_words()), 1);
  }
  fs::path model() const { return folder_.path() / "model"; }
  std::string refusal() const {
    return expect_error(ErrorKind::kBadInput, [&] { Classifier::load(model()); });
  }

  TemporaryFolder folder_;
};

TEST_F(FolderWithLists, SavedAndLoadedIsTheSame) {
  const Lists lists;
  const auto saved = make(lists);
  saved->save(model());
  const auto loaded = Classifier::load(model());
  EXPECT_EQ(loaded->config().canonical, lists.canonical);
  EXPECT_EQ(loaded->config().stop_words, "some");
  EXPECT_EQ(loaded->vocabulary().clusters(), lists.clusters);
  EXPECT_EQ(loaded->vocabulary().stop_words().words, lists.stop_words.words);
  EXPECT_EQ(loaded->vocabulary().id("eins"), loaded->vocabulary().id("w1"));
  EXPECT_TRUE(loaded->vocabulary().is_stop_word(loaded->vocabulary().id("w2")));
  EXPECT_EQ(loaded->fingerprint(), saved->fingerprint());
  loaded->save(folder_.path() / "again");
  EXPECT_EQ(contents(folder_.path() / "again"), contents(model()));
}

TEST_F(FolderWithLists, TheTableIsKeptBySpellingAndReadByClusters) {
  make({})->save(model());
  const auto loaded = Classifier::load(model());
  EXPECT_THAT(loaded->spelled_synonyms().of(4), ElementsAre(23, 24));
  EXPECT_THAT(loaded->spelled_synonyms().of(23), ElementsAre(4, 7));
  EXPECT_THAT(loaded->synonyms().of(4), ElementsAre(7));  // w4, by "one"
  EXPECT_THAT(loaded->synonyms().of(7), ElementsAre(4));
  EXPECT_LE(loaded->synonyms().size(), loaded->vocabulary().size());
  Lists plain;
  plain.canonical.clear();
  plain.clusters.clear();
  plain.synonyms = {{}, {}, {}, {4}, {3}};
  const auto without = make(plain);
  EXPECT_EQ(&without->spelled_synonyms(), &without->synonyms());
}

TEST_F(FolderWithLists, RefusesFilesThatAreMissingOrWrong) {
  const auto with = [&](const std::string& file, const std::string& content) {
    make({})->save(model());
    std::ofstream(model() / file) << content;
    const std::string message = refusal();
    EXPECT_THAT(message, HasSubstr(file));
    return message;
  };
  for (const char* file : {"canonical.txt", "stop_words.txt"}) {
    make({})->save(model());
    fs::remove(model() / file);
    EXPECT_THAT(refusal(), HasSubstr(file));
  }
  EXPECT_THAT(with("canonical.txt", "nowhere one\n"), HasSubstr("as a first word"));
  EXPECT_THAT(with("canonical.txt", "w1 w4\n"), HasSubstr("different words"));
  EXPECT_THAT(with("canonical.txt", "w1\n"), HasSubstr("two words or more"));
  EXPECT_THAT(with("stop_words.txt", "the\n"), HasSubstr("words of the vocabulary"));
  EXPECT_THAT(with("stop_words.txt", "w1\n"), HasSubstr("in a cluster"));
  EXPECT_THAT(with("stop_words.txt", "w0 w2\n"), HasSubstr("one word per line"));
}

TEST_F(FolderWithLists, EveryPartIsInTheFingerprint) {
  const std::string before = make({})->fingerprint();
  const auto changed = [&](const auto& change) {
    Lists lists;
    change(lists);
    return make(lists)->fingerprint();
  };
  EXPECT_EQ(changed([](Lists&) {}), before);
  EXPECT_NE(changed([](Lists& l) { l.canonical = "other"; }), before);
  EXPECT_NE(changed([](Lists& l) { l.clusters[1] = {"w5", "four"}; }), before);
  EXPECT_NE(changed([](Lists& l) { std::swap(l.clusters[0][1], l.clusters[0][2]); }), before);
  EXPECT_NE(changed([](Lists& l) { l.stop_words.words = {"w0", "w3"}; }), before);
  EXPECT_NE(changed([](Lists& l) { l.synonyms[24] = {}; }), before);
}

TEST_F(FolderWithLists, TheConfigurationNamesThem) {
  Lists lists;
  lists.canonical.clear();
  EXPECT_THROW(make(lists), std::logic_error);
  Lists none;
  none.clusters.clear();
  none.synonyms.clear();
  EXPECT_THROW(make(none), std::logic_error);
}

}  // namespace
}  // namespace textcrs
