// The searches that put words of their own into a text: appended, as a phrase, as somebody else's
// proposal, and as many as a budget says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "fake_parts.h"

namespace textcrs {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Not;

// Words that speak against class 1, and one with a hyphen that the target does not read.
ClassWords class_words() {
  std::vector<LabelledWords> texts;
  for (int i = 0; i < 9; ++i) {
    texts.push_back({words_in(i < 8 ? "dull bad slow two-faced" : "dull"), 0});
    texts.push_back({words_in("good fine"), 1});
  }
  return ClassWords(texts, 2);
}

const std::map<std::string, double> kWeights = {
    {"good", 1}, {"fine", 0.75}, {"dull", -0.5}, {"bad", -1}, {"slow", 0.25}};

class AppendingSearch : public testing::Test {
 protected:
  AttackResult run(const std::string& text, size_t most, size_t candidates = 10,
                   uint32_t example = 0) const {
    AttackParts parts = parts_with(make_appending_search(words_, candidates));
    parts.constraints.push_back(make_most_edits_constraint(0, most));
    return Attack(std::move(parts), {}).run(target_, words_in(text), 1, example);
  }

  const ClassWords words_ = class_words();
  const WordCountTarget target_{kWeights};
};

TEST_F(AppendingSearch, TheStrongestWordsComeFirst) {
  EXPECT_EQ(run("a good film", 5).text.words, words_in("a good film bad"));
  const AttackResult result = run("a good fine film", 5, 10, 1);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.text.words, words_in("a good fine film bad dull"));
  EXPECT_EQ(result.text.edits, 2u);
  EXPECT_EQ(result.after, 1);
  EXPECT_THAT(target_.seen(1), Not(Contains(words_in("a good fine film two-faced"))));
  EXPECT_EQ(target_.repeated(), 0u);
}

TEST_F(AppendingSearch, KeepsToTheLimitAndTheCandidates) {
  EXPECT_EQ(run("a good fine film", 1).text.words, words_in("a good fine film bad"));
  // "dull" is the first word against class 1.
  EXPECT_EQ(run("a good fine film", 5, 1, 1).text.words, words_in("a good fine film dull"));
  const AttackResult none = run("a good fine film", 0, 10, 2);
  EXPECT_EQ(none.status, AttackStatus::kFailed);
  EXPECT_EQ(none.queries, 1u);
}

TEST_F(AppendingSearch, BeginsWithATextWithoutWords) {
  const WordCountTarget target({{"good", 1}, {"fine", 2}});
  const AttackResult result =
      Attack(parts_with(make_appending_search(words_, 9)), {}).run(target, {}, 0, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("fine"));
}

TEST(PhraseSearch, PutsThePhraseInFront) {
  const WordCountTarget target(kWeights);
  const Attack attack(parts_with(make_phrase_search(words_in("bad slow"))), {});
  const AttackResult result = attack.run(target, words_in("fine film"), 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("bad slow fine film"));
  EXPECT_THAT(result.text.edited, ElementsAre(true, true, false, false));
  EXPECT_EQ(result.queries, 2u);

  const AttackResult nearer = attack.run(target, words_in("good fine"), 1, 1);
  EXPECT_EQ(nearer.status, AttackStatus::kFailed);
  EXPECT_EQ(nearer.text.words, words_in("bad slow good fine"));
}

TEST(PhraseSearch, APhraseThatHelpsTheAnswerIsLeftOut) {
  const WordCountTarget target(kWeights);
  const Attack attack(parts_with(make_phrase_search(words_in("good"))), {});
  const AttackResult result = attack.run(target, words_in("fine film"), 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.text.words, words_in("fine film"));
}

TEST(PhraseSearch, APhraseThatIsReadWithTheTextIsNotUsed) {
  const WordCountTarget target({{"fine", 1}, {"in", -5}});
  const Attack attack(parts_with(make_phrase_search(words_in("in"))), {});
  EXPECT_EQ(attack.run(target, words_in("to a fine film"), 1, 0).status, AttackStatus::kFailed);
  EXPECT_EQ(attack.run(target, words_in("a fine film"), 1, 0).status, AttackStatus::kSucceeded);
}

class ProposalSearch : public testing::Test {
 protected:
  AttackResult run(const std::string& text, const std::string& proposed) const {
    const auto proposal = [&](const WordList& words, uint32_t example) {
      EXPECT_EQ(words, words_in(text));
      EXPECT_EQ(example, 5u);
      return words_in(proposed);
    };
    return Attack(parts_with(make_proposal_search(proposal)), {})
        .run(target_, words_in(text), 1, 5);
  }
  const WordCountTarget target_{kWeights};
};

TEST_F(ProposalSearch, IsToldAsEditsOfTheOriginal) {
  const AttackResult result = run("a good film of old times", "what a bad film dull old");
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("what a bad film dull old"));
  EXPECT_EQ(result.text.edits, 4u);
  EXPECT_EQ(result.text.original_size, 6u);
  EXPECT_EQ(result.text.origins, (std::vector<std::optional<size_t>>{std::nullopt, 0, 1, 2, 3, 4}));
  EXPECT_THAT(result.text.edited, ElementsAre(true, false, true, false, true, false));
  EXPECT_EQ(result.queries, 2u);
}

TEST_F(ProposalSearch, TheSameTextIsNoProposal) {
  const AttackResult result = run("a good film", "a good film");
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.queries, 1u);
}

TEST_F(ProposalSearch, IsTakenIfItIsNearer) {
  const AttackResult nearer = run("good good", "good fine");
  EXPECT_EQ(nearer.status, AttackStatus::kFailed);
  EXPECT_EQ(nearer.text.words, words_in("good fine"));
  EXPECT_EQ(run("good fine", "good good").text.words, words_in("good fine"));
  EXPECT_EQ(run("good", "").text.words, WordList{});
  EXPECT_EQ(run("good film", "bad-film").text.words, words_in("good film"));
}

class FrontierSearch : public testing::Test {
 protected:
  AttackResult run(const std::string& text, std::vector<EditBudget> budgets, bool beyond,
                   uint32_t example = 0) const {
    const auto of_text = [&, budgets](const WordList& words, uint32_t number) {
      EXPECT_EQ(words, words_in(text));
      EXPECT_EQ(number, example);
      return budgets;
    };
    return Attack(parts_with(make_frontier_search(of_text, words_, 10, beyond)), {})
        .run(target_, words_in(text), 1, example);
  }
  // Words of a that b does not have.
  static size_t missing(WordList a, WordList b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    WordList list;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(list));
    return list.size();
  }

  const ClassWords words_ = class_words();
  const WordCountTarget target_{kWeights};
};

TEST_F(FrontierSearch, InsideNoMoreIsLostOrGainedThanABudgetAllows) {
  const std::string text = "good fine film good with good story and fine music good";
  uint32_t example = 0;
  for (const EditBudget budget : {EditBudget{0, 0}, {1, 1}, {3, 1}, {1, 3}, {4, 0}, {0, 4}}) {
    const AttackResult result = run(text, {budget}, false, ++example);
    EXPECT_EQ(result.status, AttackStatus::kFailed);
    EXPECT_EQ(missing(words_in(text), result.text.words), budget.lost);
    EXPECT_EQ(missing(result.text.words, words_in(text)), budget.gained);
    EXPECT_EQ(result.text.edits, std::max(budget.lost, budget.gained));
    // The most needed words go, and the word that turns the text most comes.
    for (const std::string& word : result.text.words)
      if (missing({word}, words_in(text)) > 0) EXPECT_EQ(word, "bad");
    const auto good = std::count(result.text.words.begin(), result.text.words.end(), "good");
    EXPECT_EQ(good, 4 - static_cast<ptrdiff_t>(std::min<size_t>(budget.lost, 4)));
  }
}

TEST_F(FrontierSearch, InsideASmallBudgetIsEnoughForASmallMargin) {
  const AttackResult result = run("a fine film", {{1, 0}, {0, 1}}, false);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("a film"));
  EXPECT_EQ(run("a fine film", {{0, 1}}, false, 1).text.words, words_in("a fine film bad"));
}

TEST_F(FrontierSearch, BeyondItGrowsUntilTheAnswerChanges) {
  const std::string text = "good fine film good with good story and fine music good";
  const AttackResult result = run(text, {{1, 0}}, true);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  // 5.5 of words: less 4 times 1, with 3 times -1 in their place, it is -1.5; with one edit less of
  // both, 0.5.
  EXPECT_EQ(missing(words_in(text), result.text.words), 4u);
  EXPECT_EQ(missing(result.text.words, words_in(text)), 3u);
  EXPECT_EQ(run(text, {{1, 0}}, false, 1).status, AttackStatus::kFailed);
}

TEST_F(FrontierSearch, BeyondEndsWhereATextHasNoMoreWordsToLose) {
  // Nothing changes this target's answer.
  const WordCountTarget target(std::map<std::string, double>{});
  const auto budgets = [](const WordList&, uint32_t) { return std::vector<EditBudget>{{0, 0}}; };
  const WordList words = words_in("a b c d e f g h i j");
  const AttackResult result =
      Attack(parts_with(make_frontier_search(budgets, words_, 10, true)), {})
          .run(target, words, 0, 0);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  size_t fewest = words.size();
  for (const WordList& seen : target.seen(0)) {
    const size_t lost = missing(words, seen);
    fewest = std::min(fewest, words.size() - lost);
    EXPECT_LE(missing(seen, words), words.size());
  }
  EXPECT_EQ(fewest, 0u);
}

TEST_F(FrontierSearch, ATextOfWhichNothingIsKnownIsLeftAlone) {
  const AttackResult result = run("a fine film", {}, true);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.queries, 1u);
  EXPECT_EQ(run("", {{2, 2}}, true, 1).status, AttackStatus::kSkipped);
}

}  // namespace
}  // namespace textcrs
