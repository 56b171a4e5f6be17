#include "textcrs/attack/universal_trigger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>

#include "model/expect_error.h"
#include "word_count_target.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Texts of two classes whose words speak for them a little, and a word that the target can not
// stand, however rare it is.
class TriggerTest : public testing::Test {
 protected:
  TriggerTest() {
    for (uint32_t i = 0; i < 40; ++i) {
      Stream stream(4, i, 0);
      LabelledWords text;
      text.label = static_cast<int>(i % 2);
      for (int k = 0; k < 4; ++k)
        text.words.push_back((stream.bernoulli(0.8) == (text.label == 1) ? "p" : "n") +
                             std::to_string(stream.below(6)));
      if (i % 8 == 0) text.words.push_back("planted");
      texts_.push_back(std::move(text));
    }
    for (int k = 0; k < 6; ++k) {
      weights_["p" + std::to_string(k)] = 0.5 + 0.1 * k;
      weights_["n" + std::to_string(k)] = -0.55 - 0.1 * k;
    }
    weights_["planted"] = -3.5;
  }
  ClassWords class_words() const { return ClassWords(texts_, 2, 1); }

  // Of texts answered right without a phrase, those answered wrong with it; and the shares of the
  // labels.
  std::pair<size_t, double> effect_of(const WordCountTarget& target, const WordList& phrase) const {
    std::pair<size_t, double> effect;
    for (const LabelledWords& text : texts_) {
      if (target.answer(text.words) != text.label) continue;
      WordList words = phrase;
      words.insert(words.end(), text.words.begin(), text.words.end());
      effect.first += target.answer(words) != text.label ? 1 : 0;
      effect.second += target.shares(words)[static_cast<size_t>(text.label)];
    }
    return effect;
  }

  std::vector<LabelledWords> texts_;
  std::map<std::string, double> weights_;
};

TEST_F(TriggerTest, OfOneWordIsTheBestOfAllCandidates) {
  const WordCountTarget target(weights_);
  const ClassWords words = class_words();
  WordList candidates;
  for (const int label : {0, 1})
    candidates.insert(candidates.end(), words.of(label).begin(), words.of(label).end());
  ASSERT_GT(candidates.size(), 8u);
  std::pair<size_t, double> best;
  std::string best_word;
  for (const std::string& word : candidates) {
    const auto effect = effect_of(target, {word});
    if (best_word.empty() || effect.first > best.first ||
        (effect.first == best.first && effect.second < best.second)) {
      best = effect;
      best_word = word;
    }
  }
  const Trigger trigger =
      find_trigger(target, texts_, words, {.words = 1, .candidates = 50, .rounds = 1});
  EXPECT_THAT(trigger.phrase, ElementsAre(best_word));
  EXPECT_EQ(trigger.flipped, best.first);
  EXPECT_GT(trigger.flipped, 0u);
  size_t right = 0;
  for (const LabelledWords& text : texts_) right += target.answer(text.words) == text.label ? 1 : 0;
  EXPECT_EQ(trigger.texts, right);
  EXPECT_LT(right, texts_.size()) << "trivial";
  EXPECT_EQ(trigger.queries, texts_.size() + right * candidates.size());
  EXPECT_EQ(trigger.queries, target.asked());
}

TEST_F(TriggerTest, FindsThePlantedWord) {
  const WordCountTarget target(weights_);
  const Trigger trigger = find_trigger(target, texts_, class_words(), {.words = 2});
  EXPECT_THAT(trigger.phrase, ElementsAre("planted", "planted"));
  EXPECT_EQ(trigger.flipped, effect_of(target, trigger.phrase).first);
  EXPECT_EQ(trigger.queries, target.asked());
}

// Eight rounds are more than it takes until nothing changes.
TEST_F(TriggerTest, NoOtherWordInOnePlaceIsBetterInTheEnd) {
  const WordCountTarget target(weights_, 0.7);
  const ClassWords words = class_words();
  const Trigger trigger = find_trigger(target, texts_, words, {.words = 2, .rounds = 8});
  const auto found = effect_of(target, trigger.phrase);
  EXPECT_EQ(trigger.flipped, found.first);
  for (const size_t place : {0, 1})
    for (const int label : {0, 1})
      for (const std::string& word : words.of(label)) {
        WordList phrase = trigger.phrase;
        phrase[place] = word;
        const auto other = effect_of(target, phrase);
        EXPECT_TRUE(other.first < found.first ||
                    (other.first == found.first && other.second >= found.second - 1e-9))
            << join(phrase);
      }
}

TEST_F(TriggerTest, DoesNotDependOnThreads) {
  std::vector<Trigger> triggers;
  for (const int threads : {1, 3}) {
    WordCountTarget target(weights_, 0.3);
    target.at_once = threads;
    triggers.push_back(find_trigger(target, texts_, class_words(), {}));
    EXPECT_EQ(triggers.back().phrase.size(), 3u);
  }
  EXPECT_EQ(triggers[0].phrase, triggers[1].phrase);
  EXPECT_EQ(triggers[0].flipped, triggers[1].flipped);
  EXPECT_EQ(triggers[0].queries, triggers[1].queries);
}

TEST_F(TriggerTest, ReportsEveryPlaceOfEveryRound) {
  const WordCountTarget target(weights_);
  std::vector<size_t> done;
  find_trigger(target, texts_, class_words(), {.words = 2, .rounds = 2},
               [&](size_t place, size_t places) {
                 EXPECT_EQ(places, 4u);
                 done.push_back(place);
               });
  EXPECT_THAT(done, ElementsAre(1, 2, 3, 4));
}

TEST_F(TriggerTest, StopsWhenAsked) {
  WordCountTarget target(weights_);
  std::atomic<bool> stop = false;
  target.on_question = [&] { stop = target.asked() >= 100; };
  expect_error(ErrorKind::kInterrupted,
               [&] { find_trigger(target, texts_, class_words(), {}, {}, StopToken(stop)); });
  EXPECT_LT(target.asked(), 200u);
}

TEST_F(TriggerTest, NeedsWordsThatTheTargetReads) {
  const WordCountTarget target(weights_);
  const std::vector<LabelledWords> unread = {{{"half-read"}, 0}, {{"not-read"}, 1}};
  EXPECT_THAT(expect_error(ErrorKind::kUsage,
                           [&] { find_trigger(target, texts_, ClassWords(unread, 2, 1), {}); }),
              HasSubstr("there are no words that speak for a class"));
  EXPECT_EQ(target.asked(), 0u);
  const std::vector<LabelledWords> others = {{{"a"}, 2}};
  EXPECT_THROW(find_trigger(target, others, class_words(), {}), std::logic_error);
}

TEST_F(TriggerTest, WithoutATextAnsweredRightNothingFlips) {
  const WordCountTarget target(weights_);
  const std::vector<LabelledWords> wrong = {{{"p0"}, 0}, {{"n0"}, 1}};
  const Trigger trigger = find_trigger(target, wrong, class_words(), {});
  EXPECT_EQ(trigger.texts, 0u);
  EXPECT_EQ(trigger.flipped, 0u);
  EXPECT_EQ(trigger.queries, 2u);
  EXPECT_EQ(trigger.phrase.size(), 3u);
}

}  // namespace
}  // namespace textcrs
