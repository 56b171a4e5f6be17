// A word's pieces, and copies as sequences of them.
#include "model/piece_table.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <stdexcept>

#include "textcrs/base/parallel.h"
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

Pieces pieces_of(const PieceTable& table, WordId word, std::span<const std::string> own = {}) {
  Pieces pieces;
  table.append(word, own, pieces);
  return pieces;
}

Pieces pieces_of(const WordPiece& wordpiece, const std::string& word) {
  Pieces pieces;
  wordpiece.append_pieces(word, pieces);
  return pieces;
}

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
      EXPECT_EQ(pieces_of(table, static_cast<WordId>(word)), ids_of(*wordpiece, expected[word]))
          << word;
}

TEST(PieceTable, AppendsBehindWhatIsThere) {
  const auto wordpiece = tiny_wordpiece();
  const PieceTable table(open_vocabulary({"film", "films"}), wordpiece);
  const std::vector<std::string> own = {"xy"};
  Pieces pieces = {77};
  for (const WordId word : {4, 5, 3}) table.append(word, own, pieces);
  Pieces expected = ids_of(*wordpiece, {"film", "##s", "x", "##y", "film"});
  expected.insert(expected.begin(), 77);
  EXPECT_EQ(pieces, expected);
}

TEST(PieceTable, OwnWordsHaveThePiecesOfTheirSpelling) {
  const Vocabulary vocabulary = open_vocabulary({"film"});
  const auto wordpiece = tiny_wordpiece();
  const PieceTable table(vocabulary, wordpiece);
  OwnWords own;
  for (int i = 0; i < 3000; ++i) {
    std::string word = "w";
    for (int rest = i; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    const WordId id = vocabulary.encode({word}, own)[0];
    ASSERT_EQ(pieces_of(table, id, own.list()), pieces_of(*wordpiece, word)) << word;
  }
  EXPECT_EQ(pieces_of(table, 3, own.list()), pieces_of(table, 3));
  EXPECT_EQ(vocabulary.size(), 4);
}

// The ids of own words are those of a text: nothing that was looked up for one is kept for another.
TEST(PieceTable, OwnWordsOfTextsDoNotMeet) {
  const auto wordpiece = tiny_wordpiece();
  const PieceTable table(open_vocabulary({"film"}), wordpiece);
  const std::vector<std::string> first = {"abc", "de"}, second = {"good"};
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(pieces_of(table, 4, first), pieces_of(*wordpiece, "abc"));
    EXPECT_EQ(pieces_of(table, 4, second), pieces_of(*wordpiece, "good"));
    EXPECT_EQ(pieces_of(table, 5, first), pieces_of(*wordpiece, "de"));
    EXPECT_THROW(pieces_of(table, 5, second), std::out_of_range);
  }
}

TEST(PieceTable, RefusesIdsThatWereNeverGiven) {
  const PieceTable table(open_vocabulary({"film"}), tiny_wordpiece());
  for (const WordId word :
       {-1, 4, 5000, std::numeric_limits<WordId>::max(), std::numeric_limits<WordId>::min()})
    EXPECT_THROW(pieces_of(table, word), std::out_of_range) << word;
}

TEST(PieceTable, ThreadsGetTheSamePieces) {
  constexpr size_t kThreads = 4;
  std::vector<std::string> words, own;
  for (char a = 'a'; a <= 'z'; ++a)
    for (char b = 'a'; b <= 'z'; ++b)
      for (const char* end : {"", "x", "zz"})
        (words.size() < 1000 ? words : own).push_back(std::string{a, b} + end);
  const auto wordpiece = tiny_wordpiece();
  const Vocabulary vocabulary = open_vocabulary(words);
  for (int round = 0; round < 10; ++round) {
    const PieceTable table(vocabulary, wordpiece);
    std::vector<std::vector<Pieces>> found(kThreads);
    parallel_for(kThreads, kThreads, [&](size_t thread) {
      for (size_t i = 0; i < words.size() + own.size(); ++i)
        found[thread].push_back(pieces_of(table, static_cast<WordId>(kFirstWord + i), own));
    });
    for (size_t i = 0; i < words.size() + own.size(); ++i) {
      const Pieces expected =
          pieces_of(*wordpiece, i < words.size() ? words[i] : own[i - words.size()]);
      for (const auto& pieces : found) ASSERT_EQ(pieces[i], expected);
    }
  }
}

class Sequences : public testing::Test {
 protected:
  const std::shared_ptr<const WordPiece> wordpiece_ = tiny_wordpiece();
  // The ids 3 .. 8 have 1, 2, 3, 7, 1 and 1 pieces.
  const PieceTable table_{open_vocabulary({"film", "films", "xyz", "abcdefg", "\u0436", "."}),
                          wordpiece_};

  PieceSequences sequences_of(const std::vector<std::vector<WordId>>& copies, int slots,
                              int positions) const {
    CopyBatch batch;
    batch.copies = copies;
    return make_sequences(batch, table_, slots, positions);
  }
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
  const PieceSequences sequences = sequences_of(copies, 12, 24);
  ASSERT_EQ(sequences.starts, (Pieces{0, 5, 7, 13, 19, 21}));
  EXPECT_EQ(sequences.longest, 6);
  EXPECT_EQ(spelled(sequences, 0), "[CLS] film film ##s [SEP]");
  EXPECT_EQ(spelled(sequences, 1), "[CLS] [SEP]");
  EXPECT_EQ(spelled(sequences, 2), "[CLS] [MASK] [UNK] [PAD] [UNK] [SEP]");
  EXPECT_EQ(spelled(sequences, 3), "[CLS] x ##y ##z . [SEP]");
  EXPECT_EQ(spelled(sequences, 4), "[CLS] [SEP]");
  EXPECT_EQ(sequences_of({}, 12, 24).starts, (Pieces{0}));
}

TEST_F(Sequences, AreCutAtTheSlotsInWholeWords) {
  const std::vector<std::vector<WordId>> copies = {{4, 5, 3, 3}};
  EXPECT_EQ(spelled(sequences_of(copies, 2, 24), 0), "[CLS] film ##s x ##y ##z [SEP]");
  EXPECT_EQ(spelled(sequences_of(copies, 1, 24), 0), "[CLS] film ##s [SEP]");
}

TEST_F(Sequences, AreCutAtThePositionsInWholeWords) {
  const std::vector<std::vector<WordId>> copies = {{4, 5, 3, 3}};
  EXPECT_EQ(spelled(sequences_of(copies, 9, 7), 0), "[CLS] film ##s x ##y ##z [SEP]");
  // A word that does not fit ends the copy: a shorter one behind it is not drawn forward.
  EXPECT_EQ(spelled(sequences_of(copies, 9, 6), 0), "[CLS] film ##s [SEP]");
  EXPECT_EQ(spelled(sequences_of(copies, 9, 3), 0), "[CLS] [SEP]");
}

TEST_F(Sequences, AreTheLongestThatFit) {
  EXPECT_TRUE(rc::check([&] {
    const auto copies = *rc::gen::container<std::vector<std::vector<WordId>>>(
        rc::gen::container<std::vector<WordId>>(rc::gen::inRange(0, 9)));
    const int slots = *rc::gen::inRange(1, 12), positions = *rc::gen::inRange(3, 20);
    const PieceSequences sequences = sequences_of(copies, slots, positions);
    RC_ASSERT(sequences.starts.size() == copies.size() + 1);
    RC_ASSERT(static_cast<size_t>(sequences.starts.back()) == sequences.pieces.size());
    int longest = 0;
    for (size_t b = 0; b < copies.size(); ++b) {
      // Of all numbers of words the largest that both limits allow.
      Pieces best;
      for (size_t words = 0; words <= std::min<size_t>(copies[b].size(), slots); ++words) {
        Pieces all = {wordpiece_->cls()};
        for (size_t w = 0; w < words; ++w) table_.append(copies[b][w], {}, all);
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

TEST_F(Sequences, EveryCopyHasTheOwnWordsOfItsText) {
  const std::vector<std::string> first = {"good", "xy"}, second = {"abcdefghij"};
  CopyBatch batch;
  batch.copies = {{3, 9, 10}, {9}, {9, 3}, {3}};
  batch.own = {first, second, first, {}};
  const PieceSequences sequences = make_sequences(batch, table_, 12, 24);
  EXPECT_EQ(spelled(sequences, 0), "[CLS] film good x ##y [SEP]");
  EXPECT_EQ(spelled(sequences, 1), "[CLS] a ##b ##c ##d ##e ##f ##g ##h ##i ##j [SEP]");
  EXPECT_EQ(spelled(sequences, 2), "[CLS] good film [SEP]");
  EXPECT_EQ(spelled(sequences, 3), "[CLS] film [SEP]");
  const PieceSequences part = make_sequences(CopyView(batch).part(1, 2), table_, 12, 24);
  EXPECT_EQ(spelled(part, 0), spelled(sequences, 1));
  EXPECT_EQ(spelled(part, 1), spelled(sequences, 2));
  // Cut in whole words, as others are.
  EXPECT_EQ(spelled(make_sequences(CopyView(batch).part(1, 1), table_, 12, 11), 0), "[CLS] [SEP]");
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
    const std::vector<std::string> words = bert_words(*wordpiece, text);
    for (const std::string& word : words) joined += word + " ";
    RC_ASSERT(bert_words(*wordpiece, joined) == words);
  }));
}

}  // namespace
}  // namespace textcrs
