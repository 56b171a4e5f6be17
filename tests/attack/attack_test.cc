// What an attack does whatever its parts are: its answer, its queries, and what it depends on.
#include "textcrs/attack/attack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <stdexcept>

#include "fake_parts.h"
#include "model/expect_error.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

using Kind = WordEdit::Kind;

const std::map<std::string, double> kWeights = {
    {"good", 1.5}, {"fine", 1}, {"nice", 0.5}, {"bad", -2}, {"dull", -1}};

class AttackTest : public testing::Test {
 protected:
  Attack replacing(const AttackLimits& limits = {}) const {
    return Attack(parts_with(make_ranked_search(), make_synonym_replacement(synonyms_)), limits);
  }

  const WordCountTarget target_{kWeights};
  const WordSynonyms synonyms_ =
      synonyms_of({{"good", {"nice", "fine", "dull"}}, {"fine", {"nice", "good"}}});
};

TEST_F(AttackTest, AWrongAnswerIsSkipped) {
  const AttackResult result = replacing().run(target_, words_in("a good film"), 0, 7);
  EXPECT_EQ(result.status, AttackStatus::kSkipped);
  EXPECT_EQ(result.text.words, words_in("a good film"));
  EXPECT_EQ(result.text.edits, 0u);
  EXPECT_EQ(result.before, 1);
  EXPECT_EQ(result.after, 1);
  EXPECT_EQ(result.share_before, target_.shares(words_in("a good film"))[0]);
  EXPECT_EQ(result.share_after, result.share_before);
  EXPECT_EQ(result.queries, 1u);
  EXPECT_EQ(target_.asked(), 1u);
}

TEST_F(AttackTest, SuccessIsWhatTheTargetSaysOfTheText) {
  const WordList words = words_in("a good film");
  const AttackResult result = replacing().run(target_, words, 1, 7);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("a dull film"));
  EXPECT_EQ(result.text.edits, 1u);
  EXPECT_EQ(result.before, 1);
  EXPECT_EQ(result.after, 0);
  EXPECT_EQ(result.share_before, target_.shares(words)[1]);
  EXPECT_EQ(result.share_after, target_.shares(result.text.words)[1]);
  EXPECT_EQ(target_.words(join(result.text.words)), result.text.words);
  // The text, less each word, with each synonym.
  EXPECT_EQ(result.queries, 1u + 3u + 3u);
  EXPECT_EQ(target_.seen(7).size(), result.queries);
}

TEST_F(AttackTest, FailureLeavesTheNearestText) {
  const WordSynonyms synonyms = synonyms_of({{"good", {"fine", "nice"}}});
  const AttackResult result =
      Attack(parts_with(make_ranked_search(), make_synonym_replacement(synonyms)), {})
          .run(target_, words_in("good good good"), 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.text.words, words_in("nice nice nice"));
  EXPECT_EQ(result.after, 1);
  EXPECT_EQ(result.share_after, target_.shares(result.text.words)[1]);
}

TEST_F(AttackTest, TheSameTextIsAskedAboutOnce) {
  // Less one of three equal words it is the same text, whichever goes.
  const AttackResult result = Attack(parts_with(make_ranked_search(), make_word_deletion()), {})
                                  .run(target_, words_in("good good good"), 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);  // the empty text is c0's
  EXPECT_EQ(result.text.words, WordList{});
  EXPECT_EQ(result.queries, 4u);
  EXPECT_EQ(target_.asked(), 4u);
}

TEST_F(AttackTest, NoQueryIsMadeBeyondTheBudget) {
  const WordList words = words_in("a good good fine fine film");
  const AttackResult free = replacing().run(target_, words, 1, 0);
  ASSERT_EQ(free.status, AttackStatus::kSucceeded);
  ASSERT_GT(free.queries, 10u);
  uint64_t spent = 0;
  for (uint64_t budget = 1; budget <= free.queries + 2; ++budget) {
    const WordCountTarget target(kWeights);
    const AttackResult result = replacing({.queries = budget}).run(target, words, 1, 0);
    EXPECT_EQ(result.queries, target.asked());
    EXPECT_EQ(target.repeated(), 0u);
    EXPECT_LE(result.queries, budget);
    EXPECT_EQ(result.after, target_.answer(result.text.words));
    if (result.status == AttackStatus::kSpent) {
      ++spent;
      EXPECT_EQ(result.queries, budget);
      EXPECT_LT(budget, free.queries);
      EXPECT_EQ(result.after, 1);
    } else {
      EXPECT_EQ(result.status, AttackStatus::kSucceeded);
      EXPECT_EQ(result.text.words, free.text.words);
    }
  }
  // All but those that end among the last synonyms, where one that flips may come first.
  EXPECT_GE(spent, free.queries - 3);
}

TEST_F(AttackTest, AnAttackInVainSpendsAnyBudgetThatIsTooSmall) {
  const WordList words = words_in("good good good good");
  const WordSynonyms synonyms = synonyms_of({{"good", {"fine", "nice"}}});
  const auto with_budget = [&](const WordCountTarget& target, uint64_t budget) {
    return Attack(parts_with(make_ranked_search(), make_synonym_replacement(synonyms)),
                  {.queries = budget})
        .run(target, words, 1, 0);
  };
  const uint64_t needed = with_budget(target_, 0).queries;
  for (uint64_t budget = 1; budget <= needed; ++budget) {
    const WordCountTarget target(kWeights);
    const AttackResult result = with_budget(target, budget);
    EXPECT_EQ(result.status, budget < needed ? AttackStatus::kSpent : AttackStatus::kFailed);
    EXPECT_EQ(result.queries, budget);
    EXPECT_EQ(target.asked(), budget);
  }
}

TEST_F(AttackTest, WhatTheBudgetStillAllowsIsUsed) {
  // The text, less its word, and the first of three synonyms, which is enough.
  const WordSynonyms synonyms = synonyms_of({{"good", {"bad", "dull", "nice"}}});
  const AttackResult result =
      Attack(parts_with(make_ranked_search(), make_synonym_replacement(synonyms)), {.queries = 3})
          .run(target_, words_in("good"), 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("bad"));
  EXPECT_EQ(result.queries, 3u);
}

class RandomAttackTest : public testing::Test {
 protected:
  RandomAttackTest() {
    for (uint32_t i = 0; i < 24; ++i) {
      Stream stream(9, i, 0);
      WordList words;
      for (int k = 0; k < 9; ++k) words.push_back("w" + std::to_string(stream.below(12)));
      texts_.push_back(std::move(words));
    }
    for (int k = 0; k < 12; ++k) weights_["w" + std::to_string(k)] = 0.3 * std::sin(3.0 * k) + 0.1;
  }
  static Attack swapping(uint64_t seed) {
    AttackParts parts = parts_with(make_random_search(3, 2), make_word_swap());
    parts.constraints.push_back(make_once_constraint());
    return Attack(std::move(parts), {.seed = seed});
  }
  std::vector<WordList> results(uint64_t seed, int threads) const {
    const WordCountTarget target(weights_, 0.4);
    const Attack attack = swapping(seed);
    std::vector<WordList> results(texts_.size());
    parallel_for(texts_.size(), threads, [&](size_t i) {
      results[i] = attack.run(target, texts_[i], target.answer(texts_[i]), static_cast<uint32_t>(i))
                       .text.words;
    });
    EXPECT_EQ(target.repeated(), 0u);
    return results;
  }

  std::vector<WordList> texts_;
  std::map<std::string, double> weights_;
};

TEST_F(RandomAttackTest, DependsOnSeedAndExampleAlone) {
  const std::vector<WordList> once = results(1, 1);
  EXPECT_NE(once, texts_);
  EXPECT_EQ(results(1, 1), once);
  EXPECT_EQ(results(1, 3), once);
  EXPECT_NE(results(2, 1), once);

  const WordCountTarget target(weights_, 0.4);
  const auto of_example = [&](size_t text, uint32_t example) {
    return swapping(1).run(target, texts_[text], target.answer(texts_[text]), example).text.words;
  };
  size_t others = 0;
  for (size_t i = 0; i < texts_.size(); ++i) {
    EXPECT_EQ(of_example(i, static_cast<uint32_t>(i)), once[i]);
    others += of_example(i, 1000) != once[i] ? 1 : 0;
  }
  EXPECT_GT(others, 0u);
}

TEST_F(AttackTest, StopsWhenAsked) {
  std::atomic<bool> stop = true;
  expect_error(ErrorKind::kInterrupted,
               [&] { replacing().run(target_, words_in("good"), 1, 0, StopToken(stop)); });
  EXPECT_EQ(target_.asked(), 0u);

  stop = false;
  WordCountTarget target(kWeights);
  int questions = 0;
  target.on_question = [&] { stop = ++questions == 2; };
  expect_error(ErrorKind::kInterrupted,
               [&] { replacing().run(target, words_in("good fine"), 1, 0, StopToken(stop)); });
  EXPECT_EQ(questions, 2);
}

TEST_F(AttackTest, WordsThatTheTargetReadsAsOthersAreNotUsed) {
  // "in" in front of "to" is read as "into", and a word with a hyphen as two; none is no word.
  const WordCountTarget target({{"good", 1}, {"in", -5}, {"not-good", -5}, {"", -5}, {"out", -4}});
  const WordSynonyms synonyms = synonyms_of({{"good", {"not-good", "in", "out"}}});
  const Attack attack(parts_with(make_ranked_search(), make_synonym_replacement(synonyms)), {});
  EXPECT_EQ(attack.run(target, words_in("good to see"), 1, 0).text.words, words_in("out to see"));
  EXPECT_EQ(attack.run(target, words_in("good as a film"), 1, 1).text.words,
            words_in("in as a film"));
  for (const uint32_t example : {0, 1})
    for (const WordList& words : target.seen(example))
      EXPECT_THAT(words, testing::Not(testing::Contains("not-good")));

  const auto empty_word = [](const EditedText&, size_t place) {
    return std::vector<WordEdit>{{Kind::kReplace, place, ""}, {Kind::kInsert, place, ""}};
  };
  const AttackResult result =
      Attack(parts_with(make_ranked_search(), std::make_unique<FakeTransformation>(empty_word)), {})
          .run(target, words_in("good"), 1, 2);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.text.words, words_in("good"));
  EXPECT_EQ(result.queries, 2u);
}

TEST_F(AttackTest, MistakesOfTheCallerAreBugs) {
  EXPECT_THROW(replacing().run(target_, words_in("good"), 2, 0), std::logic_error);
  EXPECT_THROW(replacing().run(target_, words_in("good"), -1, 0), std::logic_error);
  EXPECT_THROW(Attack(AttackParts(), {}), std::logic_error);
  AttackParts aimless = parts_with(make_ranked_search(), make_word_deletion());
  aimless.goal = nullptr;
  EXPECT_THROW(Attack(std::move(aimless), {}), std::logic_error);
  EXPECT_THROW(Attack(parts_with(make_ranked_search()), {}).run(target_, words_in("good"), 1, 0),
               std::logic_error);
}

TEST(AttackStatusNames, AreWords) {
  EXPECT_EQ(to_string(AttackStatus::kSucceeded), "succeeded");
  EXPECT_EQ(to_string(AttackStatus::kFailed), "failed");
  EXPECT_EQ(to_string(AttackStatus::kSpent), "spent");
  EXPECT_EQ(to_string(AttackStatus::kSkipped), "skipped");
}

}  // namespace
}  // namespace textcrs
