// What a masked language model is asked and says, by hand.
#include "model/masked_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tiny_bert.h"

namespace textcrs {
namespace {

using Words = std::vector<std::string>;
using testing::ElementsAre;

class MaskedRowsTest : public testing::Test {
 protected:
  // The pieces as a text, and the place's number.
  std::string around(const Words& words, size_t place, int longest) const {
    const MaskedPieces found = rows_around(words, place, wordpiece_, longest);
    EXPECT_EQ(found.pieces.at(found.place), wordpiece_.mask());
    std::string text;
    for (const int32_t piece : found.pieces)
      text += (text.empty() ? "" : " ") + wordpiece_.piece(piece);
    return text + " @" + std::to_string(found.place);
  }

  const WordPiece wordpiece_{TinyBert::default_pieces()};
};

TEST_F(MaskedRowsTest, AShortTextIsReadWhole) {
  EXPECT_EQ(around({}, 0, 3), "[CLS] [MASK] [SEP] @1");
  EXPECT_EQ(around({"the", "films"}, 0, 9), "[CLS] [MASK] the film ##s [SEP] @1");
  EXPECT_EQ(around({"the", "films"}, 1, 9), "[CLS] the [MASK] film ##s [SEP] @2");
  EXPECT_EQ(around({"the", "films"}, 2, 6), "[CLS] the film ##s [MASK] [SEP] @4");
}

TEST_F(MaskedRowsTest, OfALongTextTheNearestWholeWordsAreRead) {
  const Words text = {"a", "b", "c", "d", "e", "f"};
  EXPECT_EQ(around(text, 3, 7), "[CLS] b c [MASK] d e [SEP] @3");
  EXPECT_EQ(around(text, 3, 6), "[CLS] b c [MASK] d [SEP] @3");
  EXPECT_EQ(around(text, 3, 4), "[CLS] c [MASK] [SEP] @2");
  EXPECT_EQ(around(text, 3, 3), "[CLS] [MASK] [SEP] @1");
  EXPECT_EQ(around(text, 1, 7), "[CLS] a [MASK] b c d [SEP] @2");
  // A word that does not fit ends its side.
  EXPECT_EQ(around({"a", "films", "b", "c", "d", "e"}, 3, 6), "[CLS] b [MASK] c d [SEP] @2");
  EXPECT_EQ(around({"a", "films", "b", "c", "d"}, 3, 7), "[CLS] film ##s b [MASK] c [SEP] @4");
}

TEST_F(MaskedRowsTest, AMaskInTheTextIsNotThePlace) {
  EXPECT_EQ(around({"[MASK]", "film"}, 2, 9), "[CLS] [MASK] film [MASK] [SEP] @3");
}

TEST_F(MaskedRowsTest, WordsArePiecesThatAreReadAsThemselves) {
  Words pieces = TinyBert::default_pieces(), found;
  pieces.insert(pieces.end(), {"Film", "don't", "caf\u00e9", "naive"});
  const WordPiece wordpiece(pieces);
  for (const int32_t piece : pieces_that_are_words(wordpiece))
    found.push_back(wordpiece.piece(piece));
  Words expected;
  for (const std::string& piece : TinyBert::default_pieces())
    if (!piece.starts_with("##") && !piece.starts_with("[")) expected.push_back(piece);
  expected.emplace_back("naive");  // no capitals, no apostrophe, no accent
  EXPECT_EQ(found, expected);
}

TEST_F(MaskedRowsTest, GuessesAreTheMostProbableOfTheGuessable) {
  std::vector<double> probabilities(static_cast<size_t>(wordpiece_.size()), 0.001);
  const int32_t first = 5, second = 7, third = 9, other = 11;
  probabilities[first] = probabilities[third] = 0.2;  // "a" and "c"
  probabilities[second] = 0.3;
  probabilities[other] = 0.4;
  const auto guesses = [&](int count) {
    std::vector<std::pair<std::string, double>> list;
    for (const WordGuess& guess :
         best_guesses(probabilities, {third, second, first}, wordpiece_, count))
      list.emplace_back(guess.word, guess.probability);
    return list;
  };
  EXPECT_THAT(guesses(2), ElementsAre(std::pair("b", 0.3), std::pair("a", 0.2)));
  EXPECT_THAT(guesses(9),
              ElementsAre(std::pair("b", 0.3), std::pair("a", 0.2), std::pair("c", 0.2)));
}

}  // namespace
}  // namespace textcrs
