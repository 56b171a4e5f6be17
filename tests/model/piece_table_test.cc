// A word's pieces, and copies as sequences of them.
#include "model/piece_table.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <atomic>
#include <limits>
#include <stdexcept>

#include "textcrs/base/parallel.h"
#include "textcrs/text/tokenizer.h"
#include "tiny_bert.h"

namespace textcrs {
namespace {

using Pieces = std::vector<int32_t>;

std::shared_ptr<const WordPiece> tiny_wordpiece() {
  return std::make_shared<WordPiece>(TinyBert::default_pieces());
}

Vocabulary open_vocabulary(const std::vector<std::string>& words) {
  return Vocabulary(words, Vocabulary::Growth::kOpen);
}

Pieces ids_of(const WordPiece& wordpiece, const std::vector<std::string>& pieces) {
  Pieces ids;
  for (const std::string& piece : pieces)
    for (int32_t id = 0; id < wordpiece.size(); ++id)
      if (wordpiece.piece(id) == piece) ids.push_back(id);
  return ids;
}

Pieces list(std::span<const int32_t> span) { return {span.begin(), span.end()}; }

TEST(PieceTable, HoldsThePiecesOfEveryWord) {
  const auto wordpiece = tiny_wordpiece();
  const PieceTable table(open_vocabulary({"film", "films", "xy", "\u0436", std::string(101, 'a')}),
                         wordpiece);
  EXPECT_EQ(&table.wordpiece(), wordpiece.get());
  const std::vector<std::vector<std::string>> expected = {{"[PAD]"}, {"[UNK]"},       {"[MASK]"},
                                                          {"film"},  {"film", "##s"}, {"x", "##y"},
                                                          {"[UNK]"}, {"[UNK]"}};
  for (int round = 0; round < 2; ++round)
    for (size_t word = 0; word < expected.size(); ++word)
      EXPECT_EQ(list(table.of(static_cast<WordId>(word))), ids_of(*wordpiece, expected[word]))
          << word;
}

TEST(PieceTable, FollowsAVocabularyThatGrows) {
  const Vocabulary vocabulary = open_vocabulary({"film"});
  const auto wordpiece = tiny_wordpiece();
  const PieceTable table(vocabulary, wordpiece);
  const auto film = table.of(3);
  EXPECT_THROW(table.of(4), std::out_of_range);
  for (int i = 0; i < 3000; ++i) {
    std::string word = "w";
    for (int rest = i; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    const WordId id = vocabulary.encode({word})[0];
    Pieces expected;
    wordpiece->append_pieces(word, expected);
    ASSERT_EQ(list(table.of(id)), expected) << word;
  }
  EXPECT_EQ(table.of(3).data(), film.data());  // what was handed out stays
}

TEST(PieceTable, RefusesIdsThatWereNeverGiven) {
  const PieceTable table(open_vocabulary({"film"}), tiny_wordpiece());
  for (const WordId word :
       {-1, 4, 5000, std::numeric_limits<WordId>::max(), std::numeric_limits<WordId>::min()})
    EXPECT_THROW(table.of(word), std::out_of_range) << word;
}

TEST(PieceTable, ThreadsGetTheSamePieces) {
  constexpr size_t kThreads = 4;
  std::vector<std::string> words;
  for (char a = 'a'; a <= 'z'; ++a)
    for (char b = 'a'; b <= 'z'; ++b)
      for (const char* end : {"", "x", "zz"}) words.push_back(std::string{a, b} + end);
  const auto wordpiece = tiny_wordpiece();
  for (int round = 0; round < 10; ++round) {
    const Vocabulary vocabulary = open_vocabulary({});
    const PieceTable table(vocabulary, wordpiece);
    std::vector<std::vector<const int32_t*>> found(kThreads);
    parallel_for(kThreads, kThreads, [&](size_t thread) {
      for (const std::string& word : words)
        found[thread].push_back(table.of(vocabulary.encode({word})[0]).data());
    });
    for (size_t i = 0; i < words.size(); ++i) {
      Pieces expected;
      wordpiece->append_pieces(words[i], expected);
      const auto pieces = table.of(vocabulary.id(words[i]));
      ASSERT_EQ(list(pieces), expected);
      for (const auto& pointers : found) ASSERT_EQ(pointers[i], pieces.data());
    }
  }
}

class Sequences : public testing::Test {
 protected:
  const std::shared_ptr<const WordPiece> wordpiece_ = tiny_wordpiece();
  // The ids 3 .. 8 have 1, 2, 3, 7, 1 and 1 pieces.
  const PieceTable table_{open_vocabulary({"film", "films", "xyz", "abcdefg", "\u0436", "."}),
                          wordpiece_};

  // Sequence b, spelled.
  std::string spelled(const PieceSequences& sequences, size_t b) const {
    std::string text;
    for (int32_t i = sequences.starts[b]; i < sequences.starts[b + 1]; ++i)
      text +=
          (text.empty() ? "" : " ") + wordpiece_->piece(sequences.pieces[static_cast<size_t>(i)]);
    return text;
  }
};

TEST_F(Sequences, BeginWithClsAndEndWithSep) {
  const std::vector<std::vector<WordId>> copies = {{3, 4}, {}, {kMask, kUnk, kPad, 7}, {5, 8}, {}};
  const PieceSequences sequences = make_sequences(copies, table_, 12, 24);
  ASSERT_EQ(sequences.starts, (Pieces{0, 5, 7, 13, 19, 21}));
  EXPECT_EQ(sequences.longest, 6);
  EXPECT_EQ(spelled(sequences, 0), "[CLS] film film ##s [SEP]");
  EXPECT_EQ(spelled(sequences, 1), "[CLS] [SEP]");
  EXPECT_EQ(spelled(sequences, 2), "[CLS] [MASK] [UNK] [PAD] [UNK] [SEP]");
  EXPECT_EQ(spelled(sequences, 3), "[CLS] x ##y ##z . [SEP]");
  EXPECT_EQ(spelled(sequences, 4), "[CLS] [SEP]");
  EXPECT_EQ(make_sequences({}, table_, 12, 24).starts, (Pieces{0}));
}

TEST_F(Sequences, AreCutAtTheSlotsInWholeWords) {
  const std::vector<std::vector<WordId>> copies = {{4, 5, 3, 3}};
  EXPECT_EQ(spelled(make_sequences(copies, table_, 2, 24), 0), "[CLS] film ##s x ##y ##z [SEP]");
  EXPECT_EQ(spelled(make_sequences(copies, table_, 1, 24), 0), "[CLS] film ##s [SEP]");
}

TEST_F(Sequences, AreCutAtThePositionsInWholeWords) {
  const std::vector<std::vector<WordId>> copies = {{4, 5, 3, 3}};
  EXPECT_EQ(spelled(make_sequences(copies, table_, 9, 7), 0), "[CLS] film ##s x ##y ##z [SEP]");
  // A word that does not fit ends the copy: a shorter one behind it is not drawn forward.
  EXPECT_EQ(spelled(make_sequences(copies, table_, 9, 6), 0), "[CLS] film ##s [SEP]");
  EXPECT_EQ(spelled(make_sequences(copies, table_, 9, 3), 0), "[CLS] [SEP]");
}

TEST_F(Sequences, AreTheLongestThatFit) {
  EXPECT_TRUE(rc::check([&] {
    const auto copies = *rc::gen::container<std::vector<std::vector<WordId>>>(
        rc::gen::container<std::vector<WordId>>(rc::gen::inRange(0, 9)));
    const int slots = *rc::gen::inRange(1, 12), positions = *rc::gen::inRange(3, 20);
    const PieceSequences sequences = make_sequences(copies, table_, slots, positions);
    RC_ASSERT(sequences.starts.size() == copies.size() + 1);
    RC_ASSERT(static_cast<size_t>(sequences.starts.back()) == sequences.pieces.size());
    int longest = 0;
    for (size_t b = 0; b < copies.size(); ++b) {
      // Of all numbers of words the largest that both limits allow.
      Pieces best;
      for (size_t words = 0; words <= std::min<size_t>(copies[b].size(), slots); ++words) {
        Pieces all = {wordpiece_->cls()};
        for (size_t w = 0; w < words; ++w)
          for (const int32_t piece : table_.of(copies[b][w])) all.push_back(piece);
        all.push_back(wordpiece_->sep());
        if (all.size() <= static_cast<size_t>(positions)) best = all;
      }
      RC_ASSERT(Pieces(sequences.pieces.begin() + sequences.starts[b],
                       sequences.pieces.begin() + sequences.starts[b + 1]) == best);
      longest = std::max(longest, static_cast<int>(best.size()));
    }
    RC_ASSERT(sequences.longest == longest);
  }));
}

// The words of a text are a text with these words, whatever markup they spell.
TEST(BertWords, AreStable) {
  const auto wordpiece = tiny_wordpiece();
  EXPECT_TRUE(rc::check([&] {
    const auto part =
        rc::gen::element<std::string>("<br />", "<", "br", ">", "/", "&amp;", "&", "lt;", "#39;",
                                      "#", "39", ";", "Film", " ", "\u00e9", "<a href=x>");
    std::string text, joined;
    for (const auto& one : *rc::gen::container<std::vector<std::string>>(part)) text += one;
    const std::vector<std::string> words = wordpiece->words(without_markup(text));
    for (const std::string& word : words) joined += word + " ";
    RC_ASSERT(wordpiece->words(without_markup(joined)) == words);
  }));
}

}  // namespace
}  // namespace textcrs
