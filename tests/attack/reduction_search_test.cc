// Deletions that the answer holds under, until none is left.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fake_parts.h"

namespace textcrs {
namespace {

AttackParts keeping(size_t words) {
  return parts_with(make_reduction_search(words), make_word_deletion());
}

TEST(ReductionSearch, LeavesTheWordThatTheAnswerNeeds) {
  const WordCountTarget target({{"good", 1}, {"bad", -0.4}, {"dull", -0.3}});
  const WordList words = words_in("a bad film but a good story if dull");
  const AttackResult result = Attack(keeping(1), {}).run(target, words, 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("good"));
  EXPECT_EQ(result.before, 1);
  EXPECT_EQ(result.after, 1);
  EXPECT_EQ(result.text.edits, words.size() - 1);
}

TEST(ReductionSearch, AsksNothingMoreAboutATextThatIsShortEnough) {
  const WordCountTarget target({{"good", 1}});
  EXPECT_EQ(Attack(keeping(3), {}).run(target, words_in("a good film"), 1, 0).queries, 1u);
  EXPECT_EQ(Attack(keeping(1), {}).run(target, {}, 0, 1).queries, 1u);
  // Of three, the first word that can go does: the text, less each word.
  const AttackResult result = Attack(keeping(2), {}).run(target, words_in("a good film"), 1, 2);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.size(), 2u);
  EXPECT_EQ(result.queries, 4u);
}

// Random texts under a target that minds the order, so that a word that could not go may go later.
TEST(ReductionSearch, NoWordOfTheResultCanGo) {
  std::map<std::string, double> weights;
  for (int k = 0; k < 10; ++k) weights["w" + std::to_string(k)] = std::sin(7.0 * k);
  const WordList stop_words = {"w2", "w5"};
  size_t long_ones = 0;
  for (uint32_t example = 0; example < 100; ++example) {
    Stream stream(3, example, 0);
    WordList words;
    for (uint32_t left = 1 + stream.below(10); left > 0; --left)
      words.push_back("w" + std::to_string(stream.below(10)));
    const WordCountTarget target(weights, -0.15);
    const int label = target.answer(words);
    AttackParts parts = keeping(1);
    parts.constraints.push_back(make_stop_word_constraint(stop_words));
    const AttackResult result = Attack(std::move(parts), {}).run(target, words, label, example);
    EXPECT_EQ(result.after, label);
    EXPECT_EQ(target.answer(result.text.words), label);
    EXPECT_EQ(result.text.edits, words.size() - result.text.size());
    EXPECT_EQ(target.repeated(), 0u);
    for (size_t i = 0; i < result.text.size(); ++i)
      EXPECT_EQ(result.text.words[i], words[*result.text.origins[i]]);
    if (result.text.size() <= 1) {
      EXPECT_EQ(result.status, AttackStatus::kSucceeded);
      continue;
    }
    ++long_ones;
    EXPECT_EQ(result.status, AttackStatus::kFailed);
    for (size_t i = 0; i < result.text.size(); ++i) {
      const bool may_go =
          std::find(stop_words.begin(), stop_words.end(), result.text.words[i]) == stop_words.end();
      const WordList shorter = words_after({WordEdit::Kind::kDelete, i}, result.text.words);
      if (may_go) EXPECT_NE(target.answer(shorter), label) << join(result.text.words);
    }
  }
  EXPECT_GT(long_ones, 20u);
}

TEST(ReductionSearch, AWordThatTheMeaningNeedsStays) {
  const WordCountTarget target({{"good", 1}});
  AttackParts parts = keeping(1);
  parts.similarity =
      std::make_unique<FakeSimilarity>([](const EditedText& text, const WordEdit& edit) {
        return text.words[edit.place] == "film" ? 0 : 1;
      });
  const AttackResult result =
      Attack(std::move(parts), {}).run(target, words_in("a good film of old"), 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.text.words, words_in("good film"));
}

TEST(ReductionSearch, WithinABudgetTheShortestSoFarIsLeft) {
  const WordList words = words_in("a good film of old with a fine story");
  const std::map<std::string, double> weights = {{"good", 1}, {"fine", 1}};
  const uint64_t needed = Attack(keeping(1), {}).run(WordCountTarget(weights), words, 1, 0).queries;
  for (uint64_t budget = 1; budget < needed; ++budget) {
    const WordCountTarget target(weights);
    const AttackResult result = Attack(keeping(1), {.queries = budget}).run(target, words, 1, 0);
    EXPECT_EQ(result.status, AttackStatus::kSpent);
    EXPECT_EQ(result.queries, budget);
    EXPECT_EQ(target.asked(), budget);
    EXPECT_EQ(target.answer(result.text.words), 1);
  }
}

}  // namespace
}  // namespace textcrs
