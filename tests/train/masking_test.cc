// Cutting and masking: the law of BERT's pretraining.
#include "train/masking.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <numeric>
#include <set>

#include "model/tiny_bert.h"

namespace textcrs {
namespace {

using Words = std::vector<std::string>;

// "film" has one piece, "films" two, "filmsy" three; "?" is unknown.
const std::vector<std::string> kWords = {"film", "films", "filmsy", "good", "goodx", "a", "?"};

const WordPiece& wordpiece() {
  static const WordPiece made(TinyBert::default_pieces());
  return made;
}

Words random_words(uint32_t key, size_t count) {
  Stream stream(31, key, 0);
  Words words;
  while (words.size() < count)
    words.push_back(kWords[stream.below(static_cast<uint32_t>(kWords.size()))]);
  return words;
}

std::vector<size_t> all_of(const std::vector<PieceSequence>& sequences) {
  std::vector<size_t> indices(sequences.size());
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

bool is_special(int32_t piece) { return piece < 5; }

TEST(Cutting, KeepsWholeWordsInOrderAsManyAsFit) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<size_t>(0, 60);
    const auto length = *rc::gen::inRange(3, 20);
    const auto key = *rc::gen::inRange<uint32_t>(0, 1000);
    Words words = random_words(key, count);
    words.push_back("a");
    const auto sequences = cut_text(7, words, wordpiece(), length);
    std::vector<int32_t> found, expected, one;
    for (size_t s = 0; s < sequences.size(); ++s) {
      const auto& [text, part, pieces, starts] = sequences[s];
      RC_ASSERT(text == 7u);
      RC_ASSERT(part == s);
      RC_ASSERT(static_cast<int>(pieces.size()) <= length);
      RC_ASSERT(pieces.front() == wordpiece().cls());
      RC_ASSERT(pieces.back() == wordpiece().sep());
      RC_ASSERT(starts.front() == 1);
      for (size_t w = 0; w < starts.size(); ++w)
        RC_ASSERT(!wordpiece().piece(pieces[static_cast<size_t>(starts[w])]).starts_with("##"));
      for (size_t i = 1; i + 1 < pieces.size(); ++i)
        RC_ASSERT(
            wordpiece().piece(pieces[i]).starts_with("##") ==
            (std::find(starts.begin(), starts.end(), static_cast<int32_t>(i)) == starts.end()));
      found.insert(found.end(), pieces.begin() + 1, pieces.end() - 1);
    }
    for (const std::string& word : words) {
      one.clear();
      wordpiece().append_pieces(word, one);
      if (static_cast<int>(one.size()) <= length - 2)
        expected.insert(expected.end(), one.begin(), one.end());
    }
    // Unknown words may go with a sequence of their own.
    const auto known = [](std::vector<int32_t> list) {
      std::erase(list, wordpiece().unk());
      return list;
    };
    RC_ASSERT(known(found) == known(expected));
    // The next word of a sequence that was ended would not have fitted.
    if (length >= 5)
      for (size_t s = 0; s + 1 < sequences.size(); ++s)
        RC_ASSERT(static_cast<int>(sequences[s].pieces.size()) > length - 3);
  }));
}

TEST(Cutting, LeavesOutWhatCanNotBeLearntFrom) {
  EXPECT_TRUE(cut_text(1, {}, wordpiece(), 8).empty());
  EXPECT_TRUE(cut_text(1, {"?", "?"}, wordpiece(), 8).empty());
  EXPECT_TRUE(cut_text(1, {"filmsy"}, wordpiece(), 4).empty());
  EXPECT_EQ(cut_text(1, {"filmsy"}, wordpiece(), 5).size(), 1u);
  const auto around = cut_text(1, {"a", "?", "filmsy", "a"}, wordpiece(), 4);
  ASSERT_EQ(around.size(), 2u);
  EXPECT_EQ(around[0].pieces.size(), 4u);
  EXPECT_THROW(cut_text(1, {"a"}, wordpiece(), 2), std::logic_error);
}

TEST(Masking, ChoosesWholeKnownWordsAndChangesNothingElse) {
  EXPECT_TRUE(rc::check([] {
    const auto count = *rc::gen::inRange<size_t>(1, 50);
    const auto key = *rc::gen::inRange<uint32_t>(0, 1000);
    Words words = random_words(key, count);
    words.push_back("good");
    const auto sequences = cut_text(key, words, wordpiece(), 24);
    const auto [rows, targets] = mask_words(sequences, all_of(sequences), wordpiece(), 1, 0);
    RC_ASSERT(rows.starts.size() == sequences.size() + 1);
    RC_ASSERT(rows.places.size() == targets.size());
    std::vector<int32_t> whole;
    std::set<int64_t> asked(rows.places.begin(), rows.places.end());
    RC_ASSERT(asked.size() == rows.places.size());
    for (size_t s = 0; s < sequences.size(); ++s) {
      const PieceSequence& sequence = sequences[s];
      RC_ASSERT(rows.starts[s] == static_cast<int32_t>(whole.size()));
      const auto start = static_cast<int64_t>(whole.size());
      const auto size = static_cast<int64_t>(sequence.pieces.size());
      RC_ASSERT(rows.longest >= size);
      int chosen = 0;
      for (size_t w = 0; w < sequence.words.size(); ++w) {
        const int64_t begin = start + sequence.words[w];
        const int64_t end =
            start + (w + 1 < sequence.words.size() ? sequence.words[w + 1] : size - 1);
        for (int64_t i = begin; i < end; ++i) RC_ASSERT(asked.contains(i) == asked.contains(begin));
        chosen += asked.contains(begin);
      }
      RC_ASSERT(chosen > 0);
      RC_ASSERT(!asked.contains(start));
      RC_ASSERT(!asked.contains(start + size - 1));
      whole.insert(whole.end(), sequence.pieces.begin(), sequence.pieces.end());
    }
    RC_ASSERT(rows.pieces.size() == whole.size());
    for (size_t i = 0; i < whole.size(); ++i)
      if (!asked.contains(static_cast<int64_t>(i))) RC_ASSERT(rows.pieces[i] == whole[i]);
    for (size_t m = 0; m < targets.size(); ++m) {
      RC_ASSERT(targets[m] == whole[static_cast<size_t>(rows.places[m])]);
      RC_ASSERT(!is_special(static_cast<int32_t>(targets[m])));
      const int32_t shown = rows.pieces[static_cast<size_t>(rows.places[m])];
      RC_ASSERT(shown == wordpiece().mask() || !is_special(shown));
    }
  }));
}

// 200,000 pieces: a share is off by less than 0.005 but for bad luck of 1 in a million.
TEST(Masking, HasTheSharesOfBert) {
  std::vector<PieceSequence> sequences;
  for (uint32_t text = 0; text < 1000; ++text)
    for (auto& one : cut_text(text, Words(100, text % 2 == 0 ? "films" : "good"), wordpiece(), 512))
      sequences.push_back(std::move(one));
  double pieces = 0;
  for (const PieceSequence& one : sequences) pieces += static_cast<double>(one.pieces.size()) - 2;
  double masked = 0, same = 0, other = 0, asked = 0;
  std::map<int32_t, int> replacements;
  for (uint32_t epoch = 0; epoch < 2; ++epoch) {
    const auto [rows, targets] = mask_words(sequences, all_of(sequences), wordpiece(), 3, epoch);
    asked += static_cast<double>(targets.size()) / 2;
    for (size_t m = 0; m < targets.size(); ++m) {
      const int32_t shown = rows.pieces[static_cast<size_t>(rows.places[m])];
      if (shown == wordpiece().mask())
        ++masked;
      else if (shown == targets[m])
        ++same;
      else
        ++other, ++replacements[shown];
    }
  }
  EXPECT_NEAR(asked / pieces, 0.15, 0.005);
  const double all = masked + same + other;
  EXPECT_NEAR(masked / all, 0.8, 0.015);
  // A piece in `size` that is drawn is the one that was there.
  const double others = wordpiece().size() - 5;
  EXPECT_NEAR(same / all, 0.1 + 0.1 / others, 0.012);
  EXPECT_NEAR(other / all, 0.1 - 0.1 / others, 0.012);
  EXPECT_EQ(replacements.size(), static_cast<size_t>(others));
  for (const auto& [piece, times] : replacements)
    EXPECT_NEAR(times / other, 1 / others, 0.5 / others) << wordpiece().piece(piece);
}

TEST(Masking, IsKeyedBySeedTextPartAndEpoch) {
  const Words words = random_words(5, 200);
  const auto sequences = cut_text(4, words, wordpiece(), 24);
  const auto renamed = cut_text(9, words, wordpiece(), 24);
  ASSERT_GT(sequences.size(), 5u);
  const auto mask = [](const auto& list, size_t index, uint64_t seed, uint32_t epoch) {
    return mask_words(list, {index}, wordpiece(), seed, epoch);
  };
  const MaskedBatch base = mask(sequences, 2, 1, 0);
  EXPECT_EQ(mask(sequences, 2, 1, 0).rows.pieces, base.rows.pieces);
  // Alone or in company.
  const MaskedBatch both = mask_words(sequences, {4, 2}, wordpiece(), 1, 0);
  EXPECT_EQ(
      std::vector<int32_t>(both.rows.pieces.begin() + both.rows.starts[1], both.rows.pieces.end()),
      base.rows.pieces);
  size_t differ_by_seed = 0, differ_by_epoch = 0, differ_by_text = 0;
  for (size_t s = 0; s < sequences.size(); ++s) {
    const auto places = mask(sequences, s, 1, 0).rows.places;
    differ_by_seed += mask(sequences, s, 2, 0).rows.places != places;
    differ_by_epoch += mask(sequences, s, 1, 1).rows.places != places;
    differ_by_text += mask(renamed, s, 1, 0).rows.places != places;
  }
  for (const size_t count : {differ_by_seed, differ_by_epoch, differ_by_text})
    EXPECT_GT(count, sequences.size() / 2);
  // Equal parts of a text are masked differently.
  const auto same = cut_text(1, Words(100, "good"), wordpiece(), 22);
  ASSERT_EQ(same.size(), 5u);
  std::set<std::vector<int64_t>> patterns;
  for (size_t s = 0; s < same.size(); ++s) patterns.insert(mask(same, s, 1, 0).rows.places);
  EXPECT_EQ(patterns.size(), same.size());
}

}  // namespace
}  // namespace textcrs
