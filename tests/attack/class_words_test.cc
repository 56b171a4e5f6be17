#include "textcrs/attack/class_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "word_count_target.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<LabelledWords> texts_of(const std::vector<std::pair<std::string, int>>& list) {
  std::vector<LabelledWords> texts;
  for (const auto& [text, label] : list) texts.push_back({words_in(text), label});
  return texts;
}

// z of the log odds ratio of the two-by-two table, counted text by text.
double z_of(const std::vector<LabelledWords>& texts, const std::string& word, int label) {
  double table[2][2] = {{0.5, 0.5}, {0.5, 0.5}};
  for (const LabelledWords& text : texts) {
    const bool has = std::count(text.words.begin(), text.words.end(), word) > 0;
    ++table[has ? 1 : 0][text.label == label ? 1 : 0];
  }
  const double ratio = table[1][1] * table[0][0] / (table[1][0] * table[0][1]);
  double variance = 0;
  for (const auto& row : table)
    for (const double count : row) variance += 1 / count;
  return std::log(ratio) / std::sqrt(variance);
}

TEST(ClassWords, AreThoseOfADirectCountInTheirOrder) {
  EXPECT_TRUE(rc::check([] {
    const size_t least = *rc::gen::inRange<size_t>(1, 4);
    std::vector<LabelledWords> texts(*rc::gen::inRange<size_t>(0, 12));
    for (LabelledWords& text : texts)
      text = {*rc::gen::container<WordList>(rc::gen::element<std::string>("a", "b", "c", "d")),
              *rc::gen::inRange(0, 3)};
    const ClassWords words(texts, 3, least);
    for (int label = 0; label < 3; ++label) {
      const auto list = words.of(label);
      for (const std::string word : {"a", "b", "c", "d"}) {
        size_t with = 0;
        for (const LabelledWords& text : texts)
          with += std::count(text.words.begin(), text.words.end(), word) > 0 ? 1 : 0;
        const double z = z_of(texts, word, label);
        if (std::abs(z) < 1e-12) continue;  // neither for nor against, but for the rounding
        RC_ASSERT((std::count(list.begin(), list.end(), word) == 1) == (with >= least && z > 0));
      }
      for (size_t i = 1; i < list.size(); ++i)
        RC_ASSERT(z_of(texts, list[i - 1], label) >= z_of(texts, list[i], label) - 1e-12);
    }
  }));
}

// Eight texts in ten are of class 1, and most texts with "film", but more of class 0 have it.
TEST(ClassWords, AWordSpeaksForTheClassWhoseTextsHaveItMoreOften) {
  std::vector<LabelledWords> texts(3, {{"film", "warm"}, 1});
  texts.insert(texts.end(), 5, {{"warm"}, 1});
  texts.push_back({{"film"}, 0});
  texts.push_back({{"dull"}, 0});
  const ClassWords words(texts, 2, 1);
  EXPECT_THAT(words.of(0), ElementsAre("dull", "film"));
  EXPECT_THAT(words.of(1), ElementsAre("warm"));
}

TEST(ClassWords, CountTextsNotWords) {
  const auto texts = texts_of({{"x x x x", 0}, {"y", 0}, {"y", 0}, {"z", 1}});
  EXPECT_THAT(ClassWords(texts, 2, 2).of(0), ElementsAre("y"));
  EXPECT_THAT(ClassWords(texts, 2, 2).of(1), IsEmpty());
}

TEST(ClassWords, AgainstAClassTheOthersTakeTurnsWithoutRepeats) {
  // Strongest first: of 0 "a" and "b", of 1 "c" and "b", of 2 "d".
  std::vector<LabelledWords> texts;
  for (int i = 0; i < 9; ++i) texts.push_back({words_in(i < 6 ? "a b" : "a"), 0});
  for (int i = 0; i < 9; ++i) texts.push_back({words_in(i < 6 ? "c b" : "c"), 1});
  for (int i = 0; i < 9; ++i) texts.push_back({words_in("d"), 2});
  const ClassWords words(texts, 3);
  ASSERT_THAT(words.of(0), ElementsAre("a", "b"));
  ASSERT_THAT(words.of(1), ElementsAre("c", "b"));
  ASSERT_THAT(words.of(2), ElementsAre("d"));
  EXPECT_THAT(words.against(2, 9), ElementsAre("a", "c", "b"));
  EXPECT_THAT(words.against(0, 9), ElementsAre("c", "d", "b"));
  EXPECT_THAT(words.against(0, 2), ElementsAre("c", "d"));
  EXPECT_THAT(words.against(0, 0), IsEmpty());
}

TEST(ClassWords, LabelsAreClasses) {
  const auto texts = texts_of({{"a", 0}, {"b", 2}});
  EXPECT_THROW(ClassWords(texts, 2), std::logic_error);
  EXPECT_THROW(ClassWords(texts_of({{"a", -1}}), 2), std::logic_error);
  EXPECT_THROW(ClassWords(texts, 3).of(3), std::out_of_range);
  EXPECT_THROW(ClassWords(texts, 3).of(-1), std::out_of_range);
}

}  // namespace
}  // namespace textcrs
