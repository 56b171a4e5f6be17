// Guesses of missing words: against plain loops of double precision, on every ISA the machine has.
// tests/torch compares them with LibTorch's.
#include "textcrs/engine/masked_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "kernels/known_precision.h"
#include "model/expect_error.h"
#include "model/masked_rows.h"
#include "model/plain_bert.h"
#include "model/tiny_masked_lm.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using Words = std::vector<std::string>;
using testing::HasSubstr;

class MaskedWordsTest : public testing::Test {
 protected:
  MaskedWordsTest() {
    // Neither width is a multiple of a vector's; heads of 24.
    tiny_ = {.layers = 3, .heads = 2, .width = 48, .inner = 88};
    write(masked_lm_head(tiny_));
  }
  void write(const Weights& head, const std::set<std::string>& without = {}) const {
    write_masked_lm(tiny_, folder(), "bert.", head, without);
  }
  std::filesystem::path folder() const { return folder_.path() / "bert"; }

  // The probability of every piece.
  std::vector<double> plain(const MaskedPieces& around) const {
    Weights all = masked_lm_head(tiny_);
    for (const auto& [name, tensor] : tiny_.tensors()) all[name] = tensor;
    const PlainBert bert(tiny_.config(), all);
    std::vector<double> of = bert.scores_of_pieces(bert.vectors_of(around.pieces), around.place);
    double total = 0;
    for (double& x : of) total += x = std::exp(x);
    for (double& x : of) x /= total;
    return of;
  }

  TemporaryFolder folder_;
  TinyBert tiny_;
};

TEST_F(MaskedWordsTest, GuessesAreThoseOfPlainLoops) {
  const WordPiece wordpiece(tiny_.pieces);
  const Words text = {"the", "films", "very", "\u0436"};
  for (const Precision precision : {Precision::kFp32, Precision::kBf16})
    for (const Isa isa : available_isas()) {
      if (!knows(isa, precision)) continue;
      SCOPED_TRACE(to_string(isa));
      const MaskedWords model(folder(),
                              {.precision = precision, .isa = std::string(to_string(isa))});
      for (size_t place = 0; place <= text.size(); ++place) {
        const auto expected = plain(rows_around(text, place, wordpiece, 24));
        // Of the logarithms, which spread over about 20.
        const double tolerance = precision == Precision::kFp32 ? 1e-4 : 0.6;
        const auto all = model.fill(text, place, 1000);
        std::map<std::string, double> by_word;
        for (const WordGuess& guess : all) by_word[guess.word] = guess.probability;
        ASSERT_EQ(by_word.size(), all.size());
        for (int32_t id = 0; id < wordpiece.size(); ++id) {
          const std::string& piece = wordpiece.piece(id);
          const bool is_word = !piece.starts_with("##") && !piece.starts_with("[");
          ASSERT_EQ(by_word.contains(piece), is_word) << piece;
          const double probability = expected[static_cast<size_t>(id)];
          if (is_word)
            EXPECT_NEAR(std::log(by_word[piece]), std::log(probability), tolerance) << piece;
        }
        for (size_t i = 1; i < all.size(); ++i)
          EXPECT_GE(all[i - 1].probability, all[i].probability);
        const auto few = model.fill(text, place, 3);
        ASSERT_EQ(few.size(), 3u);
        for (size_t i = 0; i < few.size(); ++i) {
          EXPECT_EQ(few[i].word, all[i].word);
          EXPECT_EQ(few[i].probability, all[i].probability);
        }
      }
    }
}

TEST_F(MaskedWordsTest, ReadsTheNearestWordsOfALongText) {
  Words text(100);
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = std::string(1, static_cast<char>('a' + i % 26));
  const auto is_as = [&](const MaskedWords& model, size_t place, size_t begin, size_t end) {
    const auto found = model.fill(text, place, 5);
    const auto expected = model.fill(Words(text.begin() + static_cast<ptrdiff_t>(begin),
                                           text.begin() + static_cast<ptrdiff_t>(end)),
                                     place - begin, 5);
    ASSERT_EQ(found.size(), 5u);
    for (size_t i = 0; i < 5; ++i) {
      EXPECT_EQ(found[i].word, expected[i].word);
      EXPECT_EQ(found[i].probability, expected[i].probability);
    }
  };
  for (const auto& [longest, room] : {std::pair{9, 9 - 3}, {128, 24 - 3}}) {
    const MaskedWords model(folder(), {}, longest);
    const auto of = static_cast<size_t>(room);
    is_as(model, 0, 0, of);
    is_as(model, 50, 50 - (of + 1) / 2, 50 + of / 2);
    is_as(model, 100, 100 - of, 100);
  }
  const MaskedWords narrow(folder(), {}, 9), wide(folder());
  EXPECT_NE(narrow.fill(text, 50, 1)[0].probability, wide.fill(text, 50, 1)[0].probability);
}

TEST_F(MaskedWordsTest, AFolderWithoutTheHeadIsRefusedByName) {
  const auto refusal = [&] {
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&] { MaskedWords model(folder()); });
    EXPECT_THAT(message, HasSubstr(folder().string()));
    return message;
  };
  write({});
  const std::string all = refusal();
  for (const auto& [name, tensor] : masked_lm_head(tiny_)) {
    EXPECT_THAT(all, HasSubstr("'" + name + "'"));
    write(masked_lm_head(tiny_), {name});
    EXPECT_THAT(refusal(), HasSubstr("'" + name + "'"));
    Weights other = masked_lm_head(tiny_);
    other[name] = {{3}, {0, 0, 0}};
    write(other);
    EXPECT_THAT(refusal(), HasSubstr("'" + name + "'"));
  }
  Weights untied = masked_lm_head(tiny_);
  untied[kDecoder] = tiny_.tensors().at(kPieceEmbedding);
  write(untied);
  EXPECT_NO_THROW(MaskedWords model(folder()));
  untied[kDecoder].values[17] += 1;
  write(untied);
  EXPECT_THAT(refusal(), HasSubstr(kDecoder));
}

TEST_F(MaskedWordsTest, RefusesWhatIsNoPlace) {
  const MaskedWords model(folder());
  EXPECT_EQ(model.fill({}, 0, 2).size(), 2u);
  EXPECT_THROW(model.fill({"film"}, 2, 1), std::logic_error);
  EXPECT_THROW(model.fill({"film"}, 0, 0), std::logic_error);
  EXPECT_THROW(MaskedWords(folder(), {}, 2), std::logic_error);
  EXPECT_EQ(MaskedWords(folder(), {}, 3).fill({"film"}, 1, 1).size(), 1u);
  expect_error(ErrorKind::kUsage, [&] { MaskedWords other(folder(), {.isa = "sse"}); });
}

TEST_F(MaskedWordsTest, TheFingerprintIsOfAllThatCounts) {
  const auto fingerprint = [&](const EngineOptions& options = {}, int longest = 128) {
    return MaskedWords(folder(), options, longest).fingerprint();
  };
  const std::string before = fingerprint();
  EXPECT_EQ(fingerprint({.isa = "portable"}, 24), before);
  EXPECT_NE(fingerprint({}, 23), before);
  EXPECT_NE(fingerprint({.precision = Precision::kFp32}), before);
  for (const auto& [name, tensor] : masked_lm_head(tiny_)) {
    Weights other = masked_lm_head(tiny_);
    other[name].values[1] += 1;
    write(other);
    EXPECT_NE(fingerprint(), before) << name;
  }
  tiny_.seed = 2;
  write(masked_lm_head(tiny_));
  EXPECT_NE(fingerprint(), before);
}

}  // namespace
}  // namespace textcrs
