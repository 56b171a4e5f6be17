// From texts, tables and lists to the clusters and stop words of a model.
#include "train/word_reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/expect_error.h"
#include "model/tiny_bert.h"
#include "text/scratch_home.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// movie 3, good 2, film 1, fine 1, the 1; "picture" and "great" are in no text.
Dataset reviews() {
  return {"reviews",
          {"negative", "positive"},
          {{1, "Good movie", 1}, {2, "fine film, the movie", 0}, {3, "good movie bad", 1}}};
}

class Reading : public testing::Test {
 protected:
  Reading() {
    bert_.write(home_.folder() / "bert");
    options_.model.hidden = 5;
    options_.model.slots = 12;
    options_.model.noise = "none";
    options_.vectors =
        home_.write("vectors.txt",
                    "good 1 0 0\nfilm 0 1 0\nbad 0 0 1\nmovie 1 1 1\npicture 2 2 2\nfine 1 2 1\n");
    options_.bert = (home_.folder() / "bert").string();
    options_.canonical.source = home_.write(
        "table.json", R"({"film": ["movie", "picture"], "good": ["fine", "great", "Nice"],
                          "movie": ["film"], "bad": ["well-made"], "the": ["film"]})");
    options_.cluster_size = 3;
  }
  std::unique_ptr<Classifier> classifier() const {
    return std::move(prepare_classifier(reviews(), options_).classifier);
  }
  std::string refusal() const {
    return expect_error(ErrorKind::kUsage, [&] { classifier(); });
  }

  ScratchHome home_;
  TinyBert bert_;
  PrepareOptions options_;
};

TEST_F(Reading, TheMostFrequentWordIsReadForItsCluster) {
  const PreparedClassifier prepared = prepare_classifier(reviews(), options_);
  const Vocabulary& vocabulary = prepared.classifier->vocabulary();
  EXPECT_THAT(vocabulary.clusters(),
              testing::UnorderedElementsAre(ElementsAre("movie", "film", "picture"),
                                            ElementsAre("good", "fine", "great")));
  EXPECT_EQ(vocabulary.word(prepared.texts[1].words[1]), "movie");
  EXPECT_EQ(vocabulary.id("picture"), vocabulary.id("film"));  // in no text
  EXPECT_EQ(vocabulary.id("Nice"), kUnk);                      // no word of a text
  EXPECT_EQ(prepared.classifier->config().canonical, "table.json, of at most 3 words");
  EXPECT_EQ(prepared.classifier->config().noise, "none");
}

TEST_F(Reading, ThePartitionIsThatOfTheTableAndTheSize) {
  options_.cluster_size = 2;
  const Clusters clusters = classifier()->vocabulary().clusters();
  EXPECT_THAT(clusters, testing::UnorderedElementsAre(ElementsAre("movie", "film"),
                                                      ElementsAre("good", "fine")));
}

TEST_F(Reading, AWordWithAVectorComesFirst) {
  options_.vectors = home_.write("few.txt", "film 0 1 0\nbad 0 0 1\nfine 1 2 1\n");
  EXPECT_THAT(classifier()->vocabulary().clusters(),
              testing::UnorderedElementsAre(ElementsAre("film", "movie", "picture"),
                                            ElementsAre("fine", "good", "great")));
}

TEST_F(Reading, AFrequentWordComesFirstWithoutAVector) {
  options_.vectors = home_.write("few.txt", "film 0 1 0\nbad 0 0 1\nfine 1 2 1\n");
  Dataset dataset = reviews();
  for (int i = 0; i < 50; ++i) dataset.examples[0].text += " movie movie";
  const PreparedClassifier prepared = prepare_classifier(dataset, options_);
  EXPECT_THAT(prepared.classifier->vocabulary().clusters(),
              testing::Contains(ElementsAre("movie", "film", "picture")));
}

TEST_F(Reading, TheCandidatesAreKeptBySpelling) {
  const auto model = classifier();
  const Vocabulary spellings = model->vocabulary().spellings();
  std::vector<std::string> candidates;
  for (const WordId id : model->spelled_synonyms().of(spellings.id("film")))
    candidates.push_back(spellings.word(id));
  EXPECT_THAT(candidates, ElementsAre("movie", "picture"));  // "the" has no vector: not known
  EXPECT_EQ(model->config().synonyms, "table.json");
  EXPECT_TRUE(model->synonyms().of(model->vocabulary().id("movie")).empty());
}

TEST_F(Reading, EveryArchitectureReadsThem) {
  for (const char* architecture : {"cnn", "bilstm", "votes", "linear", "bert"}) {
    SCOPED_TRACE(architecture);
    options_.model.architecture = architecture;
    options_.model.hidden = options_.model.kind().casts_votes ? 0 : 5;
    const auto model = classifier();
    const Vocabulary& vocabulary = model->vocabulary();
    EXPECT_EQ(vocabulary.clusters().size(), 2u);
    EXPECT_EQ(vocabulary.id("picture"), vocabulary.id("movie"));
    EXPECT_EQ(vocabulary.id("great"), vocabulary.id("good"));
    EXPECT_EQ(model->synonyms().size() > 0, !model->config().kind().casts_votes);
    model->save(home_.folder() / architecture);
    EXPECT_EQ(Classifier::load(home_.folder() / architecture)->fingerprint(), model->fingerprint());
  }
}

TEST_F(Reading, ABertReadsClustersThatNoTextHas) {
  options_.model.architecture = "bert";
  options_.canonical.source = home_.write("table.json", R"({"warm": ["hot"], "good": ["fine"]})");
  const Vocabulary vocabulary = classifier()->vocabulary();
  EXPECT_TRUE(vocabulary.holds("warm"));
  EXPECT_EQ(vocabulary.id("hot"), vocabulary.id("warm"));
}

TEST_F(Reading, SubstitutionDrawsFromTheClustersTable) {
  options_.model.noise = "substitute:kernel=uniform";
  options_.synonyms.source = home_.write("synonyms.json", R"({"fine": ["bad"], "film": ["bad"]})");
  const auto model = classifier();
  const Vocabulary& vocabulary = model->vocabulary();
  EXPECT_THAT(model->synonyms().of(vocabulary.id("bad")),
              testing::UnorderedElementsAre(vocabulary.id("good"), vocabulary.id("movie")));
  EXPECT_EQ(model->config().synonyms, "synonyms.json");
  options_.synonyms.source.clear();
  EXPECT_EQ(classifier()->config().synonyms, "table.json");
}

TEST_F(Reading, StopWordsAreKnownAndMarked) {
  options_.model.noise =
      "universal:p=0.5,stop=" + home_.write("little.txt", "the\nof\nfilm\n").string();
  for (const char* architecture : {"cnn", "linear", "bert"}) {
    SCOPED_TRACE(architecture);
    options_.model.architecture = architecture;
    options_.model.hidden = options_.model.kind().casts_votes ? 0 : 5;
    const auto model = classifier();
    EXPECT_EQ(model->config().noise, "universal:p=0.5,stop=little");
    EXPECT_EQ(model->config().stop_words, "little");
    const Vocabulary& vocabulary = model->vocabulary();
    for (const char* word : {"the", "of", "film"}) {
      EXPECT_TRUE(vocabulary.holds(word)) << word;
      EXPECT_TRUE(vocabulary.is_stop_word(vocabulary.id(word))) << word;
    }
    EXPECT_FALSE(vocabulary.is_stop_word(vocabulary.id("movie")));
    EXPECT_FALSE(vocabulary.holds("picture"));  // its cluster was that of a stop word
    model->save(home_.folder() / architecture);
    EXPECT_EQ(Classifier::load(home_.folder() / architecture)->fingerprint(), model->fingerprint());
  }
}

TEST_F(Reading, TheBuiltInListIsReadByEveryModel) {
  options_.canonical.source.clear();
  options_.model.noise = "delete:p=0.5,stop=english";
  for (const char* architecture : {"cnn", "bert"}) {
    options_.model.architecture = architecture;
    EXPECT_GT(classifier()->vocabulary().stop_words().words.size(), 100u);
  }
}

TEST_F(Reading, RefusesWhatDoesNotFit) {
  options_.cluster_size = 1;
  EXPECT_THAT(refusal(), HasSubstr("at least 2"));
  options_.cluster_size = 2;
  options_.canonical.source =
      home_.write("none.json", R"({"good": ["good"], "the end": ["film"]})");
  EXPECT_THAT(refusal(), HasSubstr("no two words"));
  options_.canonical.source = home_.write("far.json", R"({"warm": ["hot"]})");
  EXPECT_THAT(refusal(), HasSubstr("no word of the texts is in a cluster"));
  options_.canonical.source.clear();
  options_.model.noise = "delete:p=0.5,stop=" + home_.write("list.txt", "the\nDon't\n").string();
  EXPECT_THAT(refusal(), HasSubstr("\"Don't\", expected words as the model reads them"));
  options_.model.noise = "delete:p=0.5,stop=nowhere.txt";
  EXPECT_THAT(refusal(), HasSubstr("no such file"));
}

TEST_F(Reading, SentencesHaveNoClusters) {
  options_.model.units = Units::kSentences;
  EXPECT_THAT(refusal(), HasSubstr("may cut sentences otherwise"));
}

}  // namespace
}  // namespace textcrs
