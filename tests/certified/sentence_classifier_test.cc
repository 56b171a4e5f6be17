// Sentences that vote, against every edit there is in a small world.
#include "textcrs/certified/sentence_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "certified/tiny_models.h"
#include "engine/sentence_votes.h"
#include "model/expect_error.h"
#include "textcrs/certified/load.h"
#include "textcrs/certified/plain_classifier.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

// Scores as far apart as those of a trained model.
std::shared_ptr<const Classifier> sentence_model(bool bert = false, double scale = 30) {
  const auto plain = bert ? tiny_bert("none") : tiny_cnn("none");
  const TemporaryFolder folder;
  plain->save(folder.path() / "model");
  ModelConfig config = plain->config();
  config.units = Units::kSentences;
  config.save(folder.path() / "model" / "config.json");
  auto model = Classifier::load(folder.path() / "model");
  Weights head;
  for (const auto& [name, tensor] : model->weights())
    if (name == "head.weight") {
      head[name] = tensor;
      for (float& value : head[name].values) value *= static_cast<float>(scale);
    }
  model->assign(head);
  return model;
}

std::vector<std::string> pool() {
  return {"w1 w2", "w3", "w4 w5 w6", "w7 w8", "w9 w1 w19", "unseen"};
}

// One sentence of the pool is three of four, so that its class is well ahead.
std::vector<std::string> text_of(uint32_t number, size_t sentences) {
  Stream stream(12, number, 0);
  const auto pick = [&] { return pool()[stream.below(static_cast<uint32_t>(pool().size()))]; };
  const std::string most = pick();
  std::vector<std::string> text;
  for (size_t i = 0; i < sentences; ++i) text.push_back(stream.below(4) > 0 ? most : pick());
  return text;
}

// Calls `visit` with every text that one rewritten, inserted or deleted sentence makes.
void each_edit(const std::vector<std::string>& text,
               const std::function<void(const std::vector<std::string>&)>& visit) {
  for (size_t place = 0; place <= text.size(); ++place) {
    const auto at = static_cast<ptrdiff_t>(place);
    for (const std::string& sentence : pool()) {
      auto edited = text;
      edited.insert(edited.begin() + at, sentence);
      visit(edited);
      if (place == text.size()) continue;
      edited = text;
      edited[place] = sentence;
      visit(edited);
    }
    if (place == text.size()) continue;
    auto edited = text;
    edited.erase(edited.begin() + at);
    visit(edited);
  }
}

TEST(SentenceClassifier, TheUnitsAreSentences) {
  const SentenceClassifier classifier(sentence_model());
  EXPECT_EQ(classifier.words("W1 w2. w3!\n w4"), (std::vector<std::string>{"W1 w2.", "w3!", "w4"}));
  EXPECT_TRUE(classifier.words(" \n ").empty());
  EXPECT_EQ(classifier.description().unit, "sentence");
  EXPECT_FALSE(classifier.description().samples);
}

TEST(SentenceClassifier, AddsUpTheVotesOfSentencesReadAlone) {
  for (const bool bert : {false, true}) {
    const auto model = sentence_model(bert);
    const SentenceClassifier classifier(model);
    const auto engine = make_cpu_engine(*model, {.precision = model->config().precision});
    const std::vector<std::string> text = {"w1 w2", "zork mork", "w3 good film", "", "w1 w2"};
    std::vector<int64_t> sums(classifier.classes().size());
    for (const std::string& sentence : text) {
      OwnWords own;
      CopyBatch one;
      one.copies = {model->vocabulary().encode(model->words(sentence), own)};
      one.own = {own.list()};
      const auto votes = sentence_votes(engine->scores(one), sums.size());
      for (size_t c = 0; c < sums.size(); ++c) sums[c] += votes[c];
    }
    const Certification answer = classifier.certify(text, 3);
    EXPECT_EQ(answer.counts, sums);
    EXPECT_TRUE(answer.exact);
    EXPECT_FALSE(answer.abstained);
    EXPECT_EQ(answer.samples, 0u);
    EXPECT_FALSE(answer.witness);
    EXPECT_EQ(answer.prediction, std::max_element(sums.begin(), sums.end()) - sums.begin());
    auto turned = text;
    std::reverse(turned.begin(), turned.end());
    EXPECT_EQ(classifier.certify(turned, 4).counts, sums);
  }
}

// Every text within the radius, made of a pool of sentences, has the same answer.
TEST(SentenceClassifier, NoEditWithinTheRadiusChangesTheAnswer) {
  const SentenceClassifier classifier(sentence_model());
  int certified_once = 0, certified_twice = 0;
  for (uint32_t number = 0; number < 40; ++number) {
    const auto text = text_of(number, 3 + number % 5);
    const Certification answer = classifier.certify(text, 0);
    const double radius = answer.sound.radius(Operation::kEdit);
    certified_once += radius >= 1;
    const auto check = [&](const std::vector<std::string>& edited, double edits) {
      if (edits <= radius) EXPECT_EQ(classifier.certify(edited, 0).prediction, answer.prediction);
      if (classifier.covers(text, answer, edited).covered)
        EXPECT_EQ(classifier.certify(edited, 0).prediction, answer.prediction);
    };
    each_edit(text, [&](const auto& once) { check(once, 1); });
    if (radius < 2 || certified_twice++ > 1) continue;
    each_edit(text, [&](const auto& once) {
      each_edit(once, [&](const auto& twice) { check(twice, 2); });
    });
  }
  EXPECT_GT(certified_once, 3);
  EXPECT_GT(certified_twice, 0);
}

// The radius is that of an adversary whose sentences give everything to one class.
TEST(SentenceClassifier, TheRadiusIsThatOfTheWorstSentenceThereCouldBe) {
  const auto model = sentence_model();
  const SentenceClassifier classifier(model);
  const auto classes = classifier.classes().size();
  for (uint32_t number = 0; number < 60; ++number) {
    const auto text = text_of(number, 1 + number % 7);
    const Certification answer = classifier.certify(text, 0);
    std::vector<std::vector<int64_t>> votes;
    for (const std::string& sentence : text)
      votes.push_back(classifier.certify({sentence}, 0).counts);
    const auto top = static_cast<size_t>(answer.prediction);
    size_t radius = text.size();
    for (size_t other = 0; other < classes; ++other) {
      if (other == top) continue;
      std::vector<int64_t> leads;
      int64_t left = answer.counts[top] - answer.counts[other];
      for (const auto& vote : votes) leads.push_back(std::max<int64_t>(0, vote[top] - vote[other]));
      std::sort(leads.rbegin(), leads.rend());
      size_t edits = 0;
      for (const int64_t lead : leads) {
        left -= lead + kWholeVote;
        if (left < 0 || (left == 0 && other < top)) break;
        ++edits;
      }
      radius = std::min(radius, edits);
    }
    EXPECT_EQ(answer.sound.radius(Operation::kEdit), static_cast<double>(radius));
    EXPECT_EQ(answer.sound.find(Operation::kEdit)->unit, kUnitSentences);
    EXPECT_EQ(answer.sound.radius(Operation::kReordering), kUnlimited);
  }
}

TEST(SentenceClassifier, ATextWithoutSentencesIsATieAndGoesToTheFirstClass) {
  const SentenceClassifier classifier(sentence_model());
  const Certification answer = classifier.certify({}, 0);
  EXPECT_EQ(answer.prediction, 0);
  EXPECT_EQ(answer.counts, (Votes{0, 0, 0}));
  EXPECT_TRUE(answer.sound.certified);
  EXPECT_EQ(answer.sound.radius(Operation::kEdit), 0);
  EXPECT_EQ(answer.warnings, std::vector<Warning>{Warning::kNoWords});
  EXPECT_TRUE(classifier.covers({}, answer, {}).covered);
  EXPECT_FALSE(classifier.covers({}, answer, {"w1"}).covered);
}

// All scores are equal, so every sentence votes for all classes alike.
TEST(SentenceClassifier, ATieIsCertifiedForTheTextAsItIs) {
  const auto model = sentence_model(false, 0);
  Weights bias = {{"head.bias", model->weights().at("head.bias")}};
  std::fill(bias["head.bias"].values.begin(), bias["head.bias"].values.end(), 0.0F);
  std::const_pointer_cast<Classifier>(model)->assign(bias);
  const SentenceClassifier classifier(model);
  const Certification answer = classifier.certify({"w1", "w2 w3"}, 0);
  EXPECT_EQ(answer.prediction, 0);
  EXPECT_EQ(answer.counts[0], answer.counts[2]);
  EXPECT_TRUE(answer.sound.certified);
  EXPECT_EQ(answer.sound.radius(Operation::kEdit), 0);
  EXPECT_EQ(answer.sound.radius(Operation::kInsertion), 0);
  EXPECT_EQ(answer.sound.radius(Operation::kDeletion), 2);  // the others are behind by nothing, too
}

TEST(SentenceClassifier, CoversComparesSentencesByTheirWords) {
  const SentenceClassifier classifier(sentence_model());
  const std::vector<std::string> text = {"w1 w2", "w3", "w4"};
  const Certification answer = classifier.certify(text, 0);
  EXPECT_TRUE(classifier.covers(text, answer, {"w4", "W1  W2", "w3"}).covered);
  const Coverage split = classifier.covers(text, answer, {"w1", "w2", "w3", "w4"});
  EXPECT_THAT(split.why, HasSubstr("1 sentence lost and 2 gained"));
  EXPECT_EQ(split.operation, Operation::kEdit);
}

TEST(SentenceClassifier, WhatItIsNotForIsRefused) {
  const auto refuse = [](const SmoothedOptions& options) {
    return expect_error(ErrorKind::kUsage, [&] { SentenceClassifier(sentence_model(), options); });
  };
  SmoothedOptions options;
  options.engine_choice = EngineChoice::kReference;
  EXPECT_THAT(refuse(options), HasSubstr("cpu and cuda engines only"));
  options = {};
  options.device = "abacus";
  EXPECT_THAT(refuse(options), HasSubstr("not on device abacus"));
  options = {};
  options.certifier.stop.automatic = true;
  EXPECT_THAT(refuse(options), HasSubstr("stop rule"));
  expect_error(ErrorKind::kUsage, [] { SentenceClassifier(tiny_cnn("none")); });
  expect_error(ErrorKind::kUsage, [] { PlainClassifier{sentence_model()}; });
  options = {};
  options.noise = "delete:p=0.5";
  expect_error(ErrorKind::kUsage, [&] { SmoothedClassifier(sentence_model(), options); });
  const TemporaryFolder folder;
  sentence_model()->save(folder.path() / "model");
  EXPECT_THAT(
      expect_error(ErrorKind::kUsage, [&] { load_certified(folder.path() / "model", options); }),
      HasSubstr("without noise"));
  EXPECT_EQ(load_certified(folder.path() / "model")->description().unit, "sentence");
}

TEST(SentenceClassifier, ExplainsByTheSentences) {
  const SentenceClassifier classifier(sentence_model());
  const std::vector<std::string> text = {"w1 w2", "w3", "w4 w5 w6", "w3"};
  const Certification answer = classifier.certify(text, 0);
  const Explanation found = classifier.explain(text, answer.prediction, 0);
  EXPECT_FALSE(found.drawn);
  for (const Influence& one : found.words)
    if (one.word == "w3") EXPECT_EQ(one.positions, (std::vector<size_t>{1, 3}));
}

}  // namespace
}  // namespace textcrs
