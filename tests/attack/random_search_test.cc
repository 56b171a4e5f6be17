// Random steps, and the constraints that every step keeps to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "fake_parts.h"

namespace textcrs {
namespace {

using Kind = WordEdit::Kind;

// Later words weigh more, so that swaps matter; no order of them changes the answer.
class RandomSearch : public testing::Test {
 protected:
  RandomSearch() {
    for (int i = 0; i < 16; ++i) {
      text_.push_back("w" + std::to_string(i));
      weights_[text_.back()] = 1 + std::sin(5.0 * i) / 2;
    }
  }
  WordCountTarget target() const { return WordCountTarget(weights_, 0.001); }

  WordList text_;
  std::map<std::string, double> weights_;
};

TEST_F(RandomSearch, ASwapCostsTwoEditsOfTheLimit) {
  for (const auto& [share, least, limit] : {std::tuple{0.25, size_t{0}, size_t{4}},
                                            {0.2, size_t{0}, size_t{3}},
                                            {0.1, size_t{6}, size_t{6}},
                                            {1.0, size_t{0}, size_t{16}},
                                            {0.1, size_t{1}, size_t{1}}}) {
    size_t most = 0;
    for (uint32_t example = 0; example < 20; ++example) {
      const WordCountTarget target(weights_, 0.001);
      AttackParts parts = parts_with(make_random_search(8, 20), make_word_swap());
      parts.constraints.push_back(make_most_edits_constraint(share, least));
      parts.constraints.push_back(make_once_constraint());
      const AttackResult result = Attack(std::move(parts), {}).run(target, text_, 1, example);
      EXPECT_EQ(result.status, AttackStatus::kFailed);
      size_t moved = 0;
      for (size_t i = 0; i < text_.size(); ++i) moved += result.text.words[i] != text_[i] ? 1 : 0;
      EXPECT_EQ(result.text.edits, moved);
      most = std::max(most, moved);
      // All that it asks about are within the limit, too.
      for (const WordList& words : target.seen(example)) {
        size_t edits = 0;
        for (size_t i = 0; i < text_.size(); ++i) edits += words[i] != text_[i] ? 1 : 0;
        EXPECT_LE(edits, limit);
      }
    }
    EXPECT_EQ(most, limit / 2 * 2) << "the limit is reached";
  }
}

TEST_F(RandomSearch, ALimitIsAShareWithoutTheRoundingOfItsProduct) {
  // 0.29 times 100 is less than 29 in floating point.
  WordList words(100, "word");
  const WordCountTarget target({{"word", 1}, {"new", 0.5}});
  const WordSynonyms synonyms = synonyms_of({{"word", {"new"}}});
  AttackParts parts = parts_with(make_ranked_search(), make_synonym_replacement(synonyms));
  parts.constraints.push_back(make_most_edits_constraint(0.29, 0));
  EXPECT_EQ(Attack(std::move(parts), {}).run(target, words, 1, 0).text.edits, 29u);
}

TEST_F(RandomSearch, StopWordsStayWhereTheyAre) {
  const WordList stop_words = {"w3", "w8", "w9", "w15"};
  const auto keeps = [&](const WordList& words) {
    return std::all_of(stop_words.begin(), stop_words.end(), [&](const std::string& word) {
      const auto place = std::find(text_.begin(), text_.end(), word) - text_.begin();
      return words.at(static_cast<size_t>(place)) == word;
    });
  };
  for (uint32_t example = 0; example < 10; ++example) {
    const WordCountTarget target(weights_, 0.001);
    AttackParts parts = parts_with(make_random_search(8, 20), make_word_swap());
    parts.constraints.push_back(make_stop_word_constraint(stop_words));
    const AttackResult result = Attack(std::move(parts), {}).run(target, text_, 1, example);
    EXPECT_GT(result.text.edits, 0u);
    for (const WordList& words : target.seen(example)) EXPECT_TRUE(keeps(words)) << join(words);
  }
}

TEST_F(RandomSearch, StopWordsAreNeitherReplacedNorDeleted) {
  const WordCountTarget target({{"the", 1}, {"good", 1}, {"film", 1}, {"a", 1}, {"of", 2}});
  const WordList text = words_in("the good film of the year");
  const WordSynonyms synonyms =
      synonyms_of({{"the", {"a"}}, {"of", {"the"}}, {"good", {"x"}}, {"film", {"y"}}});
  for (const bool replaces : {true, false}) {
    AttackParts parts = parts_with(
        make_ranked_search(), replaces ? make_synonym_replacement(synonyms) : make_word_deletion());
    parts.constraints.push_back(make_stop_word_constraint(WordList{"the", "of"}));
    const AttackResult result = Attack(std::move(parts), {}).run(target, text, 1, replaces);
    EXPECT_EQ(result.text.words,
              replaces ? words_in("the x y of the year") : words_in("the of the year"));
    for (WordList words : target.seen(replaces)) {
      std::erase_if(words, [](const std::string& word) { return word != "the" && word != "of"; });
      EXPECT_EQ(words, words_in("the of the"));
    }
  }
}

TEST_F(RandomSearch, EditedWordsAreLeftAloneIfTheyMayBeEditedOnce) {
  const WordCountTarget target({{"good", 3}, {"fine", 2}, {"nice", 1}, {"ok", 0.5}});
  const WordSynonyms synonyms =
      synonyms_of({{"good", {"fine"}}, {"fine", {"nice"}}, {"nice", {"ok"}}});
  for (const bool once : {true, false}) {
    AttackParts parts = parts_with(make_random_search(2, 30), make_synonym_replacement(synonyms));
    if (once) parts.constraints.push_back(make_once_constraint());
    const AttackResult result =
        Attack(std::move(parts), {}).run(target, words_in("a good film"), 1, 0);
    EXPECT_EQ(result.text.words, once ? words_in("a fine film") : words_in("a ok film"));
  }
}

TEST_F(RandomSearch, InsertedWordsAreLeftAloneToo) {
  const EditedText text = applied({Kind::kInsert, 1, "new"}, EditedText(words_in("a b")));
  const auto once = make_once_constraint();
  EXPECT_TRUE(once->may_edit(text, 0));
  EXPECT_FALSE(once->may_edit(text, 1));
  EXPECT_TRUE(once->allows(text, {Kind::kInsert, 1, "newer"}));
  for (const WordEdit& edit : {WordEdit{Kind::kReplace, 1, "x"}, WordEdit{Kind::kDelete, 1},
                               WordEdit{Kind::kSwap, 1, {}, 0}, WordEdit{Kind::kSwap, 0, {}, 1}})
    EXPECT_FALSE(once->allows(text, edit));
}

TEST_F(RandomSearch, EachStepIsTheBestOfItsProposals) {
  // With proposals enough, the only edit that matters is found in the first step.
  const WordCountTarget target({{"good", 1}, {"bad", -2}, {"nice", 0.9}});
  const WordSynonyms synonyms =
      synonyms_of({{"film", {"movie"}}, {"good", {"nice", "bad"}}, {"story", {"tale"}}});
  const AttackResult result =
      Attack(parts_with(make_random_search(60, 1), make_synonym_replacement(synonyms)), {})
          .run(target, words_in("a good film story"), 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("a bad film story"));
  EXPECT_EQ(result.text.edits, 1u);
}

TEST_F(RandomSearch, PatienceIsForStepsInARow) {
  // Nothing is ever nearer: one question per step, about the one edit there is at a random place.
  const WordList words = words_in("a b c d e f g h");
  WordCountTarget target({{"a", 1}});
  int steps = 0;
  const auto new_word = [&](const EditedText&, size_t place) {
    ++steps;
    return std::vector<WordEdit>{{Kind::kInsert, place, "n" + std::to_string(steps)}};
  };
  const AttackResult result =
      Attack(parts_with(make_random_search(1, 7), std::make_unique<FakeTransformation>(new_word)),
             {})
          .run(target, words, 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(steps, 7);
  EXPECT_EQ(result.queries, 8u);
}

TEST_F(RandomSearch, AStepWithoutProposalsIsOneInVain) {
  // Most places have no edit; the last one has the one that it takes.
  WordList words(30, "film");
  words.push_back("good");
  const WordCountTarget target({{"good", 1}, {"bad", -1}});
  const WordSynonyms synonyms = synonyms_of({{"good", {"bad"}}});
  const AttackResult result =
      Attack(parts_with(make_random_search(1, 1000), make_synonym_replacement(synonyms)), {})
          .run(target, words, 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.queries, 2u);
}

TEST_F(RandomSearch, TextsWithoutWordsAndOfOneWord) {
  const WordCountTarget target({{"good", 1}});
  const WordSynonyms synonyms = synonyms_of({{"good", {"fine"}}});
  for (const WordList& words : {WordList{}, WordList{"good"}}) {
    const auto example = static_cast<uint32_t>(words.size());
    const AttackResult swapped = Attack(parts_with(make_random_search(5, 5), make_word_swap()), {})
                                     .run(target, words, target.answer(words), example);
    EXPECT_EQ(swapped.status, AttackStatus::kFailed);
    EXPECT_EQ(swapped.text.words, words);
    EXPECT_EQ(swapped.queries, 1u);
    const AttackResult inserted =
        Attack(parts_with(make_random_search(5, 5), make_synonym_insertion(synonyms)), {})
            .run(target, words, target.answer(words), example);
    EXPECT_EQ(inserted.status, AttackStatus::kFailed);
    EXPECT_EQ(inserted.queries, words.empty() ? 1u : 2u);
  }
}

TEST_F(RandomSearch, SwapsAreOfAllPairsOfPlaces) {
  const auto swaps = make_word_swap();
  const EditedText text(words_in("a b a c"));
  std::set<std::pair<size_t, size_t>> pairs;
  Stream random(1, 0, 0);
  for (int i = 0; i < 300; ++i)
    for (size_t place = 0; place < 4; ++place)
      for (const WordEdit& edit : swaps->at(text, place, random)) {
        EXPECT_EQ(edit.kind, Kind::kSwap);
        EXPECT_EQ(edit.place, place);
        pairs.insert({edit.place, edit.other});
      }
  // But for words that are equal.
  EXPECT_EQ(pairs,
            (std::set<std::pair<size_t, size_t>>{
                {0, 1}, {0, 3}, {1, 0}, {1, 2}, {1, 3}, {2, 1}, {2, 3}, {3, 0}, {3, 1}, {3, 2}}));
}

TEST_F(RandomSearch, InsertedSynonymsAreThoseOfAnyWordOfTheText) {
  const WordSynonyms synonyms =
      synonyms_of({{"good", {"fine", "nice"}}, {"film", {"movie"}}, {"x", {"y"}}});
  const auto insertion = make_synonym_insertion(synonyms);
  std::set<std::string> words;
  Stream random(1, 0, 0);
  for (int i = 0; i < 200; ++i)
    for (const WordEdit& edit : insertion->at(EditedText(words_in("a good film")), 1, random)) {
      EXPECT_EQ(edit.kind, Kind::kInsert);
      EXPECT_EQ(edit.place, 1u);
      words.insert(edit.word);
    }
  EXPECT_EQ(words, (std::set<std::string>{"fine", "nice", "movie"}));
  EXPECT_TRUE(insertion->at(EditedText(words_in("a b")), 0, random).empty());
}

}  // namespace
}  // namespace textcrs
