// Stop words in a smoothed model (docs/certificates.md, B2): any edit of them leaves the votes as
// they are, and what is certified is true of the model's own answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certified/tiny_models.h"
#include "textcrs/certified/smoothed_classifier.h"

namespace textcrs {
namespace {

using TextWords = std::vector<std::string>;

// w0 and w1 are stop words.
std::shared_ptr<const Classifier> cnn_with_stop_words(const std::string& noise) {
  const auto plain = tiny_cnn("none");
  ModelConfig config = plain->config();
  config.noise = noise + ",stop=some";
  config.stop_words = "some";
  return std::make_shared<Classifier>(config,
                                      plain->vocabulary().with_stop_words({"some", {"w0", "w1"}}),
                                      SynonymTable(), plain->weights());
}

SmoothedOptions exact() {
  SmoothedOptions options;
  options.certifier.estimation_samples = 5000;  // more than a text has outcomes
  return options;
}

TEST(StopWordsOfAModel, AnyNumberOfThemIsFree) {
  for (const char* noise : {"universal:p=0.6", "delete:p=0.7"}) {
    const SmoothedClassifier smoothed(cnn_with_stop_words(noise), exact());
    for (const TextWords& text : {split("w2 w3 w4"), split("w5"), split("w7 zork w9 w9")}) {
      const Certification plain = smoothed.certify(text, 0);
      ASSERT_TRUE(plain.exact);
      TextWords edited = {"w1"};
      for (const std::string& word : text) edited.insert(edited.end(), {"w0", word, "w1", "w1"});
      const Certification with = smoothed.certify(edited, 0);
      EXPECT_TRUE(with.exact);
      EXPECT_EQ(with.prediction, plain.prediction);
      EXPECT_EQ(with.bounds, plain.bounds);
      if (!with.sound.certified) continue;
      EXPECT_EQ(with.sound.stop_list, "some");
      EXPECT_EQ(with.sound.frontier, plain.sound.frontier);
      EXPECT_TRUE(smoothed.covers(edited, with, text).covered);
      EXPECT_TRUE(smoothed.covers(text, plain, edited).covered);
    }
  }
}

TEST(StopWordsOfAModel, WhatIsCoveredHasTheSameAnswer) {
  const SmoothedClassifier smoothed(cnn_with_stop_words("universal:p=0.8"), exact());
  const TextWords words = {"w0", "w1", "w4", "w12", "zork"};
  int covered = 0;
  for (const TextWords& text :
       {split("w4 w0 w12"), split("w2 w5 w1"), split("w0 w0"), TextWords()}) {
    const Certification certified = smoothed.certify(text, 0);
    std::vector<TextWords> edits = {{}};
    for (size_t begin = 0; edits[begin].size() < 3; ++begin)
      for (const std::string& word : words) {
        edits.push_back(edits[begin]);
        edits.back().push_back(word);
      }
    for (const TextWords& edited : edits) {
      if (!smoothed.covers(text, certified, edited).covered) continue;
      ++covered;
      const Certification other = smoothed.certify(edited, 0);
      EXPECT_EQ(other.prediction, certified.prediction) << testing::PrintToString(edited);
      EXPECT_FALSE(other.abstained);
    }
  }
  EXPECT_GT(covered, 20);
}

TEST(StopWordsOfAModel, TheirRemovalChangesNoVote) {
  SmoothedOptions options = exact();
  for (const bool count : {true, false}) {
    options.exact = count;
    const SmoothedClassifier smoothed(cnn_with_stop_words("universal:p=0.5"), options);
    const TextWords text = split("w0 w3 w1 w8 w0 w5");
    const Certification answer = smoothed.certify(text, 0);
    for (const Influence& word : smoothed.explain(text, answer.prediction, 0).words)
      if (word.word == "w0" || word.word == "w1") EXPECT_EQ(word.change, 0) << count;
  }
}

TEST(StopWordsOfAModel, ATextOfNothingElseIsTheEmptyText) {
  const SmoothedClassifier smoothed(cnn_with_stop_words("delete:p=0.5"), exact());
  const Certification stops = smoothed.certify({"w0", "w1", "w0"}, 0);
  EXPECT_EQ(stops.prediction, smoothed.certify({}, 0).prediction);
  EXPECT_EQ(stops.sound.radius(Operation::kDeletion), 3);
  EXPECT_THAT(stops.warnings, testing::Contains(Warning::kBlankDecides));
}

}  // namespace
}  // namespace textcrs
