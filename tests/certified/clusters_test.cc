// Models that read the words of a cluster as one (docs/certificates.md, B16): every substitution
// inside clusters, enumerated, leaves the answer and its certificate as they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "certified/tiny_models.h"
#include "model/expect_error.h"
#include "textcrs/base/files.h"
#include "textcrs/certified/load.h"
#include "textcrs/certified/plain_classifier.h"
#include "textcrs/certified/voting_classifier.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using TextWords = std::vector<std::string>;

const Clusters kClustersOfCnn = {{"w1", "one", "eins"}, {"w4", "four"}, {"w7", "seven"}};
const Clusters kClustersOfBert = {{"good", "fine", "zork"}, {"film", "movie"}};
const std::string kName = "test, of at most 3 words";

// With a table of candidates by spelling: "one" may also become w4, outside of its cluster.
std::shared_ptr<const Classifier> clustered_cnn(const std::string& noise) {
  const auto plain = tiny_cnn(noise);
  const Vocabulary vocabulary = plain->vocabulary().with_clusters(kClustersOfCnn);
  const Vocabulary spellings = vocabulary.spellings();
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(spellings.size()));
  const auto tie = [&](const std::string& a, const std::string& b) {
    lists[static_cast<size_t>(spellings.id(a))].push_back(spellings.id(b));
    lists[static_cast<size_t>(spellings.id(b))].push_back(spellings.id(a));
  };
  tie("w1", "one"), tie("w1", "eins"), tie("w4", "four"), tie("w7", "seven"), tie("one", "w4");
  ModelConfig config = plain->config();
  config.canonical = kName;
  config.synonyms = "test";
  return std::make_shared<Classifier>(config, vocabulary, SynonymTable("test", lists),
                                      plain->weights());
}

std::shared_ptr<const Classifier> clustered_bert(const std::string& noise) {
  const TemporaryFolder folder;
  tiny_bert(noise)->save(folder.path() / "model");
  const auto config = folder.path() / "model" / "config.json";
  auto json = nlohmann::ordered_json::parse(read_file(config));
  json["canonical"] = kName;
  std::ofstream(config) << json.dump();
  std::ofstream(folder.path() / "model" / "canonical.txt") << "good fine zork\nfilm movie\n";
  return Classifier::load(folder.path() / "model");
}

// Every text in which each word is any word of its cluster.
std::vector<TextWords> inside_clusters(const TextWords& text, const Clusters& clusters) {
  std::vector<TextWords> all = {{}};
  for (const std::string& word : text) {
    TextWords choices = {word};
    for (const auto& cluster : clusters)
      if (std::find(cluster.begin(), cluster.end(), word) != cluster.end()) choices = cluster;
    std::vector<TextWords> longer;
    for (const TextWords& start : all)
      for (const std::string& choice : choices) {
        longer.push_back(start);
        longer.back().push_back(choice);
      }
    all = std::move(longer);
  }
  return all;
}

// Answers, votes and certificates of all those texts are the same, and each covers the others.
void expect_free(const CertifiedClassifier& classifier, const TextWords& text,
                 const Clusters& clusters) {
  const Certification first = classifier.certify(text, 3);
  for (const TextWords& edited : inside_clusters(text, clusters)) {
    const Certification c = classifier.certify(edited, 3);
    EXPECT_EQ(c.prediction, first.prediction);
    EXPECT_EQ(c.counts, first.counts);
    EXPECT_EQ(c.abstained, first.abstained);
    EXPECT_EQ(c.sound.canonical, first.sound.certified ? kName : "");
    if (first.sound.certified)
      EXPECT_TRUE(classifier.covers(text, first, edited).covered) << testing::PrintToString(edited);
  }
}

const std::vector<TextWords> kCnnTexts = {{"w1"},
                                          {"one", "w2"},
                                          {"w4", "w1", "w4", "w3"},
                                          {"seven", "eins", "nowhere", "w7", "w19"},
                                          {"w1", "w1", "w4", "w7"}};
const std::vector<TextWords> kBertTexts = {
    {"good"}, {"zork", "film"}, {"a", "fine", "movie", "xyz"}, {"bad", "movie", "good", "fine"}};

TEST(Clusters, APlainModelAnswersAlikeInsideThem) {
  const PlainClassifier cnn(clustered_cnn("none")), bert(clustered_bert("none"));
  EXPECT_EQ(cnn.operations(), std::vector{Operation::kSubstitution});
  EXPECT_EQ(cnn.description().noise, "clusters");
  EXPECT_FALSE(cnn.description().is_smoothed());
  for (const TextWords& text : kCnnTexts) expect_free(cnn, text, kClustersOfCnn);
  for (const TextWords& text : kBertTexts) expect_free(bert, text, kClustersOfBert);
}

TEST(Clusters, APlainModelCoversNothingElse) {
  const PlainClassifier plain(clustered_cnn("none"));
  const auto covers = [&](const TextWords& a, const TextWords& b) {
    return plain.covers(a, plain.certify(a, 0), b);
  };
  EXPECT_TRUE(covers({"w1", "w2"}, {"w1", "w2"}).covered);
  EXPECT_TRUE(covers({"zork"}, {"mork"}).covered);  // one unknown word is another
  const Coverage other = covers({"w1", "w2", "w4"}, {"eins", "w3", "w7"});
  EXPECT_FALSE(other.covered);
  EXPECT_THAT(other.why, HasSubstr("2 words replaced by words outside their clusters"));
  EXPECT_FALSE(covers({"w1", "w2"}, {"w2", "w1"}).covered);
  EXPECT_FALSE(covers({"w1", "w2"}, {"w1"}).covered);
  EXPECT_FALSE(covers({}, {"w1"}).covered);
}

TEST(Clusters, SubstitutionIsUnlimitedWhereEveryCandidateIsInTheCluster) {
  const PlainClassifier plain(clustered_cnn("none"));
  const auto set = [&](const TextWords& text) { return plain.certify(text, 0).sound; };
  const CertifiedSet inside = set({"w1", "w2", "eins", "seven"});
  EXPECT_TRUE(inside.certified);
  EXPECT_EQ(inside.radius(Operation::kSubstitution), kUnlimited);
  EXPECT_EQ(inside.candidates, "test");
  EXPECT_EQ(inside.replaceable, 3);
  EXPECT_EQ(inside.in_words(),
            "up to 3 of the 3 words that have candidates (test) substituted, each by one of its "
            "own, and besides any word replaced by another of its cluster (" +
                kName + ")");
  for (const TextWords& text : {TextWords{"one"}, TextWords{"w1", "w4"}}) {  // one - w4
    EXPECT_EQ(set(text).radius(Operation::kSubstitution), 0);
    EXPECT_EQ(set(text).in_words(), "any word replaced by another of its cluster (" + kName + ")");
  }
  EXPECT_EQ(set({"w2", "nowhere"}).replaceable, 0);
}

// With the adversary's candidates cut to one per word, "one" keeps w1 alone.
TEST(Clusters, TheAdversaryMayHaveFewerCandidates) {
  SmoothedOptions options;
  options.candidates = 1;
  const PlainClassifier plain(clustered_cnn("none"), options);
  EXPECT_EQ(plain.certify({"one"}, 0).sound.radius(Operation::kSubstitution), kUnlimited);
  EXPECT_THAT(plain.certify({"one"}, 0).sound.candidates, HasSubstr("mutual among the first 1"));
}

TEST(Clusters, EveryNoiseStandsOnTopOfThem) {
  CertifiedOptions options;
  options.certifier.selection_samples = 20;
  options.certifier.estimation_samples = 300;
  for (const char* noise : {"universal:p=0.5", "delete:p=0.8", "mask:p=0.7", "reorder:full",
                            "hash:buckets=3,functions=5", "substitute:kernel=uniform"}) {
    SCOPED_TRACE(noise);
    const SmoothedClassifier cnn(clustered_cnn(noise), options);
    for (const TextWords& text : kCnnTexts) expect_free(cnn, text, kClustersOfCnn);
  }
  const SmoothedClassifier insert(clustered_cnn("insert:sigma=0.3"), options);
  for (const TextWords& text : kCnnTexts) expect_free(insert, text, kClustersOfCnn);
  const SmoothedClassifier bert(clustered_bert("universal:p=0.5"), options);
  for (const TextWords& text : kBertTexts) expect_free(bert, text, kClustersOfBert);
}

TEST(Clusters, AnotherEditIsCountedByTheWordsThatAreRead) {
  CertifiedOptions options;
  options.certifier.estimation_samples = 1000;
  const SmoothedClassifier smoothed(clustered_cnn("universal:p=0.9"), options);
  const TextWords text = {"w1", "w2", "w4"};
  const Certification certified = smoothed.certify(text, 0);
  const Coverage coverage = smoothed.covers(text, certified, {"four", "eins"});
  EXPECT_THAT(coverage.why, HasSubstr("1 word lost"));
}

TEST(Clusters, VotesReadTheWordsOfAClusterAsOne) {
  ModelConfig config;
  config.architecture = "votes";
  config.classes = {"no", "yes"};
  config.canonical = kName;
  std::vector<std::string> words = {"w1", "w4", "w7", "w2", "w3", "w19"};
  auto votes = Classifier::fresh(config, Vocabulary(words).with_clusters(kClustersOfCnn));
  Weights scores = votes->weights();
  Stream stream(4, 0, 0);
  for (auto& [name, tensor] : scores)
    for (float& value : tensor.values) value = static_cast<float>(stream.below(4096));
  votes->assign(scores);
  const VotingClassifier voting(std::move(votes));
  for (const TextWords& text : kCnnTexts) expect_free(voting, text, kClustersOfCnn);
  EXPECT_THAT(voting.certify({"one", "w2"}, 0).sound.in_words(),
              HasSubstr(", and besides any word replaced by another of its cluster"));
}

TEST(Clusters, AModelOfAFolderIsCertified) {
  const TemporaryFolder folder;
  clustered_cnn("none")->save(folder.path() / "model");
  const auto loaded = load_certified(folder.path() / "model");
  expect_free(*loaded, {"w4", "one", "w7"}, kClustersOfCnn);
  EXPECT_EQ(loaded->operations(), std::vector{Operation::kSubstitution});
}

}  // namespace
}  // namespace textcrs
