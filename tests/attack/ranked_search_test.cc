// The greedy search: against the same choices made by hand from the words' weights, and against
// all edits there are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "fake_parts.h"

namespace textcrs {
namespace {

using Kind = WordEdit::Kind;

// Texts of a few words, each with some synonyms, all with random weights.
struct Case {
  explicit Case(uint32_t number) {
    Stream stream(17, number, 0);
    const uint32_t words = 1 + stream.below(5);
    for (uint32_t i = 0; i < words; ++i) {
      const std::string word = "w" + std::to_string(i);
      text.push_back(word);
      weights[word] = weight(stream, -0.2);
      for (uint32_t k = stream.below(4); k > 0; --k) {
        const std::string synonym = word + "s" + std::to_string(k);
        weights[synonym] = weight(stream, -0.7);
        synonyms[word].push_back(synonym);
      }
    }
    // A text of class 1.
    weights["w0"] += 0.1 + std::max(0.0, -sum(text));
    most = stream.below(words + 1);
  }

  // Of sums that are exact.
  static double weight(Stream& stream, double low) { return low + stream.below(1024) / 1024.0; }
  double sum(const WordList& words) const {
    double sum = 0;
    for (const std::string& word : words) sum += weights.at(word);
    return sum;
  }

  WordList text;
  std::map<std::string, double> weights;
  SynonymLists synonyms;
  size_t most = 0;  // edits
};

// The places by weight, and there the lightest synonym, or the first that flips the answer.
WordList greedy(const Case& of) {
  std::vector<size_t> order(of.text.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return of.weights.at(of.text[a]) > of.weights.at(of.text[b]);
  });
  WordList words = of.text;
  size_t edits = 0;
  for (const size_t place : order) {
    if (edits == of.most || !of.synonyms.contains(words[place])) continue;
    const WordList& list = of.synonyms.at(words[place]);
    std::string best = words[place];
    for (const std::string& synonym : list)
      if (of.weights.at(synonym) < of.weights.at(best)) best = synonym;
    for (const std::string& synonym : list) {
      WordList flipped = words;
      flipped[place] = synonym;
      if (of.sum(flipped) <= 0) return flipped;
    }
    if (best == words[place]) continue;
    words[place] = best;
    ++edits;
  }
  return words;
}

// Whether replacements of at most `edits` words from `place` on flip the answer.
bool can_flip(const Case& of, WordList words, size_t place, size_t edits) {
  if (of.sum(words) <= 0) return true;
  if (place == words.size()) return false;
  if (can_flip(of, words, place + 1, edits)) return true;
  if (edits == 0 || !of.synonyms.contains(of.text[place])) return false;
  for (const std::string& synonym : of.synonyms.at(of.text[place])) {
    words[place] = synonym;
    if (can_flip(of, words, place + 1, edits - 1)) return true;
  }
  return false;
}

AttackResult run(const Case& of, size_t most) {
  const WordCountTarget target(of.weights);
  const WordSynonyms synonyms = synonyms_of(of.synonyms);
  AttackParts parts = parts_with(make_ranked_search(), make_synonym_replacement(synonyms));
  parts.constraints.push_back(make_most_edits_constraint(0, most));
  AttackResult result = Attack(std::move(parts), {}).run(target, of.text, 1, 0);
  EXPECT_LE(result.text.edits, most);
  EXPECT_EQ(result.queries, target.asked());
  EXPECT_EQ(target.repeated(), 0u);
  return result;
}

TEST(RankedSearch, MakesTheChoicesThatAreMadeByHand) {
  size_t succeeded = 0, limited = 0;
  constexpr uint32_t kCases = 400;
  for (uint32_t number = 0; number < kCases; ++number) {
    const Case of(number);
    const AttackResult result = run(of, of.most);
    ASSERT_EQ(result.text.words, greedy(of)) << number;
    const bool flips = of.sum(result.text.words) <= 0;
    ASSERT_EQ(result.status, flips ? AttackStatus::kSucceeded : AttackStatus::kFailed);
    if (flips) ASSERT_TRUE(can_flip(of, of.text, 0, of.most));
    succeeded += flips ? 1 : 0;
    limited += !flips && can_flip(of, of.text, 0, of.text.size()) ? 1 : 0;
  }
  EXPECT_GT(succeeded, kCases / 10);
  EXPECT_GT(limited, kCases / 10);
}

// For sums of words nothing is lost by being greedy where every word may be replaced.
TEST(RankedSearch, FlipsWheneverReplacementsOfAllWordsCan) {
  size_t flipped = 0, held = 0;
  for (uint32_t number = 0; number < 400; ++number) {
    const Case of(number);
    const bool can = can_flip(of, of.text, 0, of.text.size());
    ASSERT_EQ(run(of, of.text.size()).status,
              can ? AttackStatus::kSucceeded : AttackStatus::kFailed)
        << number;
    ++(can ? flipped : held);
  }
  EXPECT_GT(flipped, 50u);
  EXPECT_GT(held, 50u);
}

class SimilarityTest : public testing::Test {
 protected:
  AttackResult run(const std::map<std::string, double>& similarity, const WordList& words) {
    AttackParts parts = parts_with(make_ranked_search(), make_synonym_replacement(synonyms_));
    parts.similarity =
        std::make_unique<FakeSimilarity>([similarity](const EditedText&, const WordEdit& edit) {
          const auto found = similarity.find(edit.word);
          return found == similarity.end() ? 1 : found->second;
        });
    return Attack(std::move(parts), {}).run(target_, words, 1, 0);
  }

  const WordCountTarget target_{
      {{"good", 1}, {"awful", -9}, {"bad", -3}, {"dull", -2}, {"nice", 0.5}, {"fine", 0.75}}};
  const WordSynonyms synonyms_ = synonyms_of({{"good", {"nice", "awful", "dull", "bad", "fine"}}});
};

TEST_F(SimilarityTest, OfThoseThatReachTheGoalTheMostSimilarIsTaken) {
  EXPECT_EQ(run({{"awful", 0.7}, {"bad", 0.9}, {"dull", 0.8}}, {"good"}).text.words,
            words_in("bad"));
  EXPECT_EQ(run({{"awful", 0.9}, {"bad", 0.7}, {"dull", 0.8}}, {"good"}).text.words,
            words_in("awful"));
  // Of equals the first; one that does not reach it is no choice, however similar.
  EXPECT_EQ(run({{"awful", 0.5}, {"bad", 0.5}, {"dull", 0.5}}, {"good"}).text.words,
            words_in("awful"));
}

TEST_F(SimilarityTest, OfTheOthersTheNearestThatIsSimilarEnough) {
  // Five words of 1 hold out against the first edit.
  const WordList words = words_in("good film good film good film good film good");
  const AttackResult result =
      run({{"awful", 0}, {"bad", 0}, {"dull", 0}, {"nice", 0.1}, {"fine", 1}}, words);
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.text.words, words_in("nice film nice film nice film nice film nice"));
}

TEST_F(SimilarityTest, NothingIsTakenThatIsNotSimilarAtAll) {
  const AttackResult result = run({{"awful", 0}, {"bad", 0}, {"dull", 0}, {"nice", 0}, {"fine", 0}},
                                  words_in("a good film"));
  EXPECT_EQ(result.status, AttackStatus::kFailed);
  EXPECT_EQ(result.text.words, words_in("a good film"));
  EXPECT_EQ(result.text.edits, 0u);
}

TEST_F(SimilarityTest, IsAskedOfTheTextAsItIs) {
  // No second edit is similar, so the first one is all there is.
  AttackParts parts = parts_with(make_ranked_search(), make_synonym_replacement(synonyms_));
  parts.similarity =
      std::make_unique<FakeSimilarity>([](const EditedText& text, const WordEdit& edit) {
        return text.edits > 0 || edit.word != "nice" ? 0 : 1;
      });
  const AttackResult result =
      Attack(std::move(parts), {}).run(target_, words_in("good good"), 1, 0);
  EXPECT_EQ(result.text.words, words_in("nice good"));
}

// A share of the label that is smaller is not nearer than another answer.
TEST(RankedSearch, AnotherAnswerCountsMoreThanASmallShare) {
  const WordCountTarget target(
      3, {{"good", {0, 2, 0}}, {"split", {0.45, 0.5, 0.45}}, {"other", {0.5, 0.499, -9}}});
  ASSERT_LT(target.shares({"split"})[1], target.shares({"other"})[1]);
  const WordSynonyms synonyms = synonyms_of({{"good", {"split", "other"}}});
  const AttackResult result =
      Attack(parts_with(make_ranked_search(), make_synonym_replacement(synonyms)), {})
          .run(target, {"good"}, 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("other"));
  EXPECT_EQ(result.after, 0);
}

// The share of the label is 1 in floating point, with one word more or less.
TEST(RankedSearch, FindsItsWayFromAnAnswerThatIsCertain) {
  const WordList words(60, "good");
  const WordCountTarget target({{"good", 1}, {"bad", -1.5}});
  ASSERT_EQ(target.shares(words)[1], 1);
  const WordSynonyms synonyms = synonyms_of({{"good", {"bad"}}});
  const AttackResult result =
      Attack(parts_with(make_ranked_search(), make_synonym_replacement(synonyms)), {})
          .run(target, words, 1, 0);
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.edits, 24u);
}

TEST(RankedSearch, InsertsInFrontOfTheWordsOfTheOriginal) {
  const WordCountTarget target({{"good", 2}, {"film", 1}, {"not", -0.5}});
  const auto insert_not = [](const EditedText&, size_t place) {
    return std::vector<WordEdit>{{Kind::kInsert, place, "not"}};
  };
  const AttackResult result =
      Attack(parts_with(make_ranked_search(), std::make_unique<FakeTransformation>(insert_not)), {})
          .run(target, words_in("a good film"), 1, 0);
  EXPECT_EQ(result.text.words, words_in("not a not good not film"));
  EXPECT_EQ(result.text.edits, 3u);
}

TEST(RankedSearch, TextsWithoutWordsAndOfOneWord) {
  const WordCountTarget target({{"good", 1}});
  const Attack attack(parts_with(make_ranked_search(), make_word_deletion()), {});
  const AttackResult none = attack.run(target, {}, 0, 0);
  EXPECT_EQ(none.status, AttackStatus::kFailed);
  EXPECT_EQ(none.queries, 1u);
  const AttackResult one = attack.run(target, {"good"}, 1, 1);
  EXPECT_EQ(one.status, AttackStatus::kSucceeded);
  EXPECT_EQ(one.text.words, WordList{});
  EXPECT_EQ(one.queries, 2u);
}

}  // namespace
}  // namespace textcrs
