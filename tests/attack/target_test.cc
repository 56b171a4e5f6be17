// Plain and smoothed targets against the engine that they ask.
#include "textcrs/attack/target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "certified/tiny_models.h"
#include "certified/tiny_votes.h"
#include "model/expect_error.h"
#include "model/small_model.h"

namespace textcrs {
namespace {

using WordList = std::vector<std::string>;
using testing::HasSubstr;

using SharedModel = std::shared_ptr<const Classifier>;

// Texts of a model's words and of words that it does not hold, some without any.
std::vector<WordList> texts_of(const WordList& words, uint32_t count) {
  std::vector<WordList> texts(count);
  for (uint32_t i = 0; i < count; ++i) {
    Stream stream(12, i, 0);
    texts[i].resize(stream.below(9));
    for (std::string& word : texts[i])
      word = words[stream.below(static_cast<uint32_t>(words.size()))];
  }
  return texts;
}

WordList cnn_words() {
  WordList words = small_words();
  words.emplace_back("unheard");
  return words;
}
WordList bert_words() { return {"good", "bad", "film", "story", "unheard", "of", "plots"}; }

// Softmax without its tricks.
std::vector<double> shares_of(const std::vector<double>& scores, size_t classes, double unit = 1) {
  std::vector<double> shares;
  for (size_t row = 0; row < scores.size(); row += classes) {
    double sum = 0;
    for (size_t c = 0; c < classes; ++c) sum += std::exp(scores[row + c] / unit);
    for (size_t c = 0; c < classes; ++c) shares.push_back(std::exp(scores[row + c] / unit) / sum);
  }
  return shares;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
}

std::vector<double> scores_of(const Classifier& classifier, const WordList& words) {
  OwnWords own;
  CopyBatch batch;
  batch.copies.push_back(classifier.vocabulary().encode(words, own));
  if (!own.list().empty()) batch.own.push_back(own.list());
  return make_cpu_engine(classifier)->scores(batch);
}

TEST(PlainTarget, GivesTheSoftmaxOfTheEnginesScores) {
  for (const bool reads_pieces : {false, true}) {
    const SharedModel model = reads_pieces ? tiny_bert("none") : tiny_cnn("none");
    const auto target = make_plain_target(model, make_cpu_engine(*model), 3);
    EXPECT_EQ(target->classes(), model->config().classes);
    EXPECT_EQ(target->examples_at_once(), 3);
    EXPECT_EQ(target->words("Good  film, (w3)"), model->words("Good  film, (w3)"));
    const std::vector<WordList> texts = texts_of(reads_pieces ? bert_words() : cnn_words(), 30);
    const size_t classes = model->config().classes.size();
    const std::vector<double> shares = target->scores(texts, 4);
    ASSERT_EQ(shares.size(), texts.size() * classes);
    for (size_t i = 0; i < texts.size(); ++i)
      expect_near({shares.begin() + static_cast<ptrdiff_t>(i * classes),
                   shares.begin() + static_cast<ptrdiff_t>((i + 1) * classes)},
                  shares_of(scores_of(*model, texts[i]), classes));
    EXPECT_EQ(target->scores(texts, 5), shares) << "the example does not matter";
    EXPECT_TRUE(target->scores({}, 4).empty());
  }
}

TEST(PlainTarget, ManyVotesAreInUnitsOfTheStrongest) {
  const SharedModel model =
      tiny_votes({{"good", {0, 4}}, {"bad", {-8, 0}}, {"odd", {1, -2}}}, {100, 101});
  const auto target = make_plain_target(model, make_cpu_engine(*model), 1);
  const std::vector<WordList> texts = {{"good", "good", "odd"}, {}, {"bad", "unheard"}};
  expect_near(target->scores(texts, 0), shares_of({101, 107, 100, 101, 92, 101}, 2, 8));
}

TEST(PlainTarget, VotesThatAreAllZeroAreNoDivisor) {
  const SharedModel model = tiny_votes({{"good", {0, 0}}}, {0, 0});
  const auto target = make_plain_target(model, make_cpu_engine(*model), 1);
  EXPECT_EQ(target->scores(std::vector<WordList>{{"good"}}, 0), (std::vector<double>{0.5, 0.5}));
}

class SmoothedTarget : public testing::Test {
 protected:
  static std::unique_ptr<Noise> noise_for(const Classifier& model, const std::string& spec) {
    return make_noise(spec, {&model.vocabulary(), &model.synonyms(), model.config().slots});
  }
  static std::unique_ptr<AttackTarget> target_on(const SharedModel& model, const std::string& spec,
                                                 const SmoothedTargetOptions& options) {
    return make_smoothed_target(model, make_cpu_engine(*model), noise_for(*model, spec), options,
                                2);
  }
  // The shares of the votes over other lanes are those of other copies.
  static std::vector<double> shares_over(const Classifier& model, const std::string& spec,
                                         const WordList& words, const SampleRange& range) {
    OwnWords own;
    const std::vector<WordId> ids = model.vocabulary().encode(words, own);
    const auto votes =
        make_cpu_engine(model)->votes({ids, own.list()}, *noise_for(model, spec), range);
    std::vector<double> shares;
    for (const int64_t count : votes)
      shares.push_back(static_cast<double>(count) / (range.end - range.begin));
    return shares;
  }
  static std::vector<double> ask(const AttackTarget& target, const WordList& words,
                                 uint32_t example) {
    return target.scores(std::vector<WordList>{words}, example);
  }
};

TEST_F(SmoothedTarget, GivesTheSharesOfTheVotesOverLanesOfItsOwn) {
  size_t others = 0, trivial = 0, asked = 0;
  for (const auto& [reads_pieces, spec] :
       std::vector<std::pair<bool, std::string>>{{false, "delete:p=0.4"},
                                                 {false, "universal:p=0.4"},
                                                 {false, "insert:sigma=0.8"},
                                                 {true, "mask:p=0.4"},
                                                 {true, "reorder:full"}}) {
    const SharedModel model = reads_pieces ? tiny_bert(spec) : tiny_cnn(spec);
    const auto target = target_on(model, spec, {.copies = 150, .seed = 6});
    EXPECT_EQ(target->classes(), model->config().classes);
    EXPECT_EQ(target->examples_at_once(), 2);
    const std::vector<WordList> texts = texts_of(reads_pieces ? bert_words() : cnn_words(), 8);
    for (const WordList& words : texts) {
      SampleRange range = {.seed = 6,
                           .example = 9,
                           .begin = 0,
                           .end = 150,
                           .words_lane = lane::kAttackWords,
                           .gaussian_lane = lane::kAttackGaussian};
      const std::vector<double> shares = ask(*target, words, 9);
      EXPECT_EQ(shares, shares_over(*model, spec, words, range)) << spec;
      ++asked;
      trivial += *std::max_element(shares.begin(), shares.end()) == 1 ? 1 : 0;
      range.words_lane = lane::kWords;
      range.gaussian_lane = lane::kGaussian;
      others += shares != shares_over(*model, spec, words, range) ? 1 : 0;
    }
  }
  EXPECT_LT(trivial, asked / 2);
  EXPECT_GT(others, asked / 4);
}

TEST_F(SmoothedTarget, ATextHasItsSharesInEveryBatch) {
  for (const bool reads_pieces : {false, true})
    for (const std::string spec : {"delete:p=0.4", "reorder:full", "mask:p=0.5"}) {
      const SharedModel model = reads_pieces ? tiny_bert(spec) : tiny_cnn(spec);
      const auto target = target_on(model, spec, {.copies = 40});
      std::vector<WordList> texts = texts_of(reads_pieces ? bert_words() : cnn_words(), 12);
      texts.push_back(texts[5]);
      const size_t classes = model->config().classes.size();
      for (const uint32_t example : {0u, 3u}) {
        const std::vector<double> together = target->scores(texts, example);
        ASSERT_EQ(together.size(), texts.size() * classes);
        for (size_t i = 0; i < texts.size(); ++i)
          EXPECT_EQ(
              ask(*target, texts[i], example),
              std::vector<double>(together.begin() + static_cast<ptrdiff_t>(i * classes),
                                  together.begin() + static_cast<ptrdiff_t>((i + 1) * classes)))
              << spec << " " << i;
      }
      EXPECT_TRUE(target->scores({}, 0).empty());
    }
}

// Words that have no votes differ, and what is deleted beside them is the same.
TEST_F(SmoothedTarget, AllTextsOfAnExampleGetTheSameNoise) {
  const SharedModel model =
      tiny_votes({{"good", {0, 4}}, {"bad", {5, 0}}, {"film", {0, 0}}, {"story", {0, 0}}}, {0, 1});
  const auto target = target_on(model, "delete:p=0.5", {.copies = 60});
  size_t other_examples = 0;
  for (uint32_t example = 0; example < 20; ++example) {
    const auto shares = ask(*target, {"good", "film", "bad", "film", "bad"}, example);
    EXPECT_EQ(ask(*target, {"good", "story", "bad", "unheard", "bad"}, example), shares);
    other_examples +=
        ask(*target, {"good", "film", "bad", "film", "bad"}, example + 1) != shares ? 1 : 0;
  }
  EXPECT_GT(other_examples, 10u);
}

TEST_F(SmoothedTarget, AnotherSeedDrawsOtherCopies) {
  const SharedModel model = tiny_cnn("delete:p=0.4");
  const auto one = target_on(model, "delete:p=0.4", {.copies = 100, .seed = 1});
  const auto two = target_on(model, "delete:p=0.4", {.copies = 100, .seed = 2});
  size_t differ = 0;
  for (const WordList& words : texts_of(cnn_words(), 20))
    differ += ask(*one, words, 0) != ask(*two, words, 0) ? 1 : 0;
  EXPECT_GT(differ, 5u);
}

TEST_F(SmoothedTarget, NeedsCopiesToDraw) {
  const SharedModel model = tiny_votes({{"good", {0, 4}}}, {1, 0});
  EXPECT_THAT(expect_error(ErrorKind::kUsage,
                           [&] {
                             target_on(model, "delete:p=0.5", {0, 1});
                           }),
              HasSubstr("copies is 0"));
  EXPECT_THAT(
      expect_error(ErrorKind::kUsage, [&] { target_on(model, "hash:buckets=3,functions=4", {}); }),
      HasSubstr("is counted, not sampled"));
}

TEST(Targets, UnitsMustBeWords) {
  ModelConfig config = small_config("cnn");
  config.units = Units::kSentences;
  const TemporaryFolder folder;
  const SharedModel model = small_classifier(folder.path(), config);
  EXPECT_THAT(expect_error(ErrorKind::kUsage,
                           [&] { make_plain_target(model, make_cpu_engine(*model), 1); }),
              HasSubstr("the model's units are sentences"));
  EXPECT_THAT(expect_error(ErrorKind::kUsage,
                           [&] {
                             make_smoothed_target(model, make_cpu_engine(*model),
                                                  make_noise("delete:p=0.5"), {}, 1);
                           }),
              HasSubstr("the model's units are sentences"));
}

}  // namespace
}  // namespace textcrs
