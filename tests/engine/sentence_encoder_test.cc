// Sentences as vectors: against plain loops of double precision, on every ISA the machine has.
#include "textcrs/engine/sentence_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <stdexcept>

#include "kernels/known_precision.h"
#include "model/expect_error.h"
#include "model/plain_bert.h"
#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "textcrs/data/catalogue.h"
#include "textcrs/text/wordpiece.h"

namespace textcrs {
namespace {

using Words = std::vector<std::string>;
using Vector = std::vector<float>;

EngineOptions options(Precision precision, Isa isa) {
  return {.precision = precision, .isa = std::string(to_string(isa))};
}

// The largest difference to unrounded vectors that have numbers of about 0.1, and are 1 long.
double tolerance(Precision precision) { return precision == Precision::kFp32 ? 2e-6 : 0.01; }

class SentenceEncoderTest : public testing::Test {
 protected:
  SentenceEncoderTest() {
    // Neither width is a multiple of a vector's; heads of 24.
    tiny_ = {.layers = 3, .heads = 2, .width = 48, .inner = 88};
    write(tiny_);
  }
  void write(const TinyBert& tiny) const { tiny.write(folder()); }
  std::filesystem::path folder() const { return folder_.path() / "bert"; }

  // The mean of the last states of these pieces, at length 1.
  PlainBert::Row plain(const std::vector<int32_t>& pieces) const {
    const PlainBert bert(tiny_.config(), tiny_.tensors());
    PlainBert::Row mean(static_cast<size_t>(tiny_.width));
    for (const PlainBert::Row& state : bert.states(bert.vectors_of(pieces)))
      for (size_t d = 0; d < mean.size(); ++d) mean[d] += state[d];
    double square = 0;
    for (const double x : mean) square += x * x;
    for (double& x : mean) x /= std::sqrt(square);
    return mean;
  }
  // [CLS], these, [SEP].
  std::vector<int32_t> pieces_of(const Words& pieces) const {
    const WordPiece wordpiece(tiny_.pieces);
    std::vector<int32_t> list = {wordpiece.cls()};
    for (const std::string& piece : pieces)
      list.push_back(static_cast<int32_t>(
          std::find(tiny_.pieces.begin(), tiny_.pieces.end(), piece) - tiny_.pieces.begin()));
    list.push_back(wordpiece.sep());
    return list;
  }
  void expect_near(const Vector& found, const PlainBert::Row& expected, double limit) const {
    ASSERT_EQ(found.size(), expected.size());
    for (size_t d = 0; d < found.size(); ++d) ASSERT_NEAR(found[d], expected[d], limit) << d;
  }
  // Texts of no to 40 words, of one piece or several.
  std::vector<Words> texts(uint32_t count) const {
    const Words words = {"good", "bad", "films", "very", "dull", "storylines", "\u0436", "."};
    std::vector<Words> list(count);
    for (uint32_t i = 0; i < count; ++i) {
      Stream stream(3, i, 0);
      list[i].resize(stream.below(41));
      for (std::string& word : list[i]) word = words[stream.below(8)];
    }
    return list;
  }

  TemporaryFolder folder_;
  TinyBert tiny_;
};

TEST_F(SentenceEncoderTest, AVectorIsTheMeanOfTheLastStates) {
  const std::vector<std::pair<Words, Words>> cases = {
      {{}, {}},
      {{"good"}, {"good"}},
      {{"the", "Films", "very", "\u0436", "!"}, {"the", "film", "##s", "very", "[UNK]", "!"}},
      {{"a good,", "dull"}, {"a", "good", ",", "dull"}},
      // Words that look like markup are words, not markup.
      {{"<", "b", ">", "good"}, {"[UNK]", "b", "[UNK]", "good"}}};
  std::vector<Words> texts;
  for (const auto& [words, pieces] : cases) texts.push_back(words);
  for (const Precision precision : {Precision::kFp32, Precision::kBf16})
    for (const Isa isa : available_isas()) {
      if (!knows(isa, precision)) continue;
      SCOPED_TRACE(to_string(isa));
      const SentenceEncoder encoder(folder(), options(precision, isa));
      ASSERT_EQ(encoder.width(), tiny_.width);
      const Vector found = encoder.encode(texts);
      ASSERT_EQ(found.size(), texts.size() * 48);
      for (size_t i = 0; i < texts.size(); ++i)
        expect_near({found.begin() + static_cast<ptrdiff_t>(48 * i),
                     found.begin() + static_cast<ptrdiff_t>(48 * (i + 1))},
                    plain(pieces_of(cases[i].second)), tolerance(precision));
    }
}

// bf16 is close to fp32: the angle between the two vectors of a text is small beside those between
// texts.
TEST_F(SentenceEncoderTest, RoundingTurnsAVectorByLittle) {
  const auto list = texts(100);
  const Vector exact = SentenceEncoder(folder(), {.precision = Precision::kFp32}).encode(list),
               rounded = SentenceEncoder(folder()).encode(list);
  const auto vector = [](const Vector& all, size_t i) {
    return std::span(all).subspan(48 * i, 48);
  };
  double lowest = 1, of_others = 0;
  for (size_t i = 0; i < list.size(); ++i) {
    lowest = std::min(lowest, cosine_similarity(vector(exact, i), vector(rounded, i)));
    for (size_t k = 0; k < i; ++k)
      if (list[i] != list[k])
        of_others += cosine_similarity(vector(exact, i), vector(exact, k)) / (100 * 99 / 2);
  }
  EXPECT_GT(lowest, 0.9995);
  EXPECT_LT(lowest, 1);  // it does round
  EXPECT_LT(of_others, 0.99);
}

// Not in their last bit.
TEST_F(SentenceEncoderTest, AVectorDoesNotDependOnTheTextsBesideIt) {
  const auto list = texts(60);  // several groups of 384 rows
  for (const Precision precision : {Precision::kFp32, Precision::kBf16})
    for (const Isa isa : available_isas()) {
      if (!knows(isa, precision)) continue;
      const SentenceEncoder encoder(folder(), options(precision, isa));
      const Vector together = encoder.encode(list);
      auto reversed = list;
      std::reverse(reversed.begin(), reversed.end());
      const Vector backwards = encoder.encode(reversed);
      for (size_t i = 0; i < list.size(); ++i) {
        const Vector one(together.begin() + static_cast<ptrdiff_t>(48 * i),
                         together.begin() + static_cast<ptrdiff_t>(48 * (i + 1)));
        ASSERT_EQ(encoder.encode(std::span(list).subspan(i, 1)), one)
            << to_string(isa) << " text " << i;
        ASSERT_TRUE(std::equal(one.begin(), one.end(),
                               backwards.begin() + static_cast<ptrdiff_t>(48 * (59 - i))))
            << to_string(isa) << " text " << i;
      }
    }
  EXPECT_TRUE(SentenceEncoder(folder()).encode({}).empty());
}

// As all-MiniLM-L6-v2's own tokenizer cuts: between any two pieces.
TEST_F(SentenceEncoderTest, LongTextsAreCutAtSoManyPieces) {
  const Words text = {"a", "b", "c", "films", "d", "e"};
  const EngineOptions fp32{.precision = Precision::kFp32};
  const auto vector = [&](int longest, const Words& words) {
    return SentenceEncoder(folder(), fp32, longest).encode(std::span(&words, 1));
  };
  expect_near(vector(6, text), plain(pieces_of({"a", "b", "c", "film"})), 2e-6);
  expect_near(vector(3, text), plain(pieces_of({"a"})), 2e-6);
  expect_near(vector(9, text), plain(pieces_of({"a", "b", "c", "film", "##s", "d", "e"})), 2e-6);
  EXPECT_NE(vector(8, text), vector(9, text));
  EXPECT_EQ(vector(9, text), vector(256, text));
  // 24 positions.
  const Words films(11, "films");
  Words more = films;
  more.resize(1000, "good");
  EXPECT_EQ(vector(256, films), vector(256, more));
  EXPECT_NE(vector(23, films), vector(24, films));
}

TEST_F(SentenceEncoderTest, TheFingerprintIsOfAllThatCounts) {
  std::set<std::string> seen;
  const auto is_new = [&](const EngineOptions& how, int longest) {
    return seen.insert(SentenceEncoder(folder(), how, longest).fingerprint()).second;
  };
  EXPECT_TRUE(is_new({}, 256));
  EXPECT_FALSE(is_new({}, 256));
  EXPECT_FALSE(is_new({}, 24));  // there are no more positions
  EXPECT_FALSE(is_new({.threads = 1, .isa = "portable"}, 24));
  EXPECT_TRUE(is_new({}, 23));
  EXPECT_TRUE(is_new({.precision = Precision::kFp32}, 256));
  TinyBert other = tiny_;
  other.seed = 2;
  write(other);
  EXPECT_TRUE(is_new({}, 256));
  other = tiny_;
  std::swap(other.pieces[5], other.pieces[6]);
  write(other);
  EXPECT_TRUE(is_new({}, 256));
  other = tiny_;
  other.heads = 6;  // the same tensors
  write(other);
  EXPECT_TRUE(is_new({}, 256));
}

TEST_F(SentenceEncoderTest, RefusesWhatItCanNotRead) {
  const auto missing = folder_.path() / "nothing";
  const std::string message =
      expect_error(ErrorKind::kBadInput, [&] { SentenceEncoder encoder(missing); });
  EXPECT_NE(message.find(missing.string()), std::string::npos) << message;
  expect_error(ErrorKind::kUsage, [&] { SentenceEncoder encoder(folder(), {.isa = "sse"}); });
  EXPECT_THROW(SentenceEncoder(folder(), {}, 2), std::logic_error);
  EXPECT_NO_THROW(SentenceEncoder(folder(), {}, 3));
}

TEST(Similarity, IsThatOfTheAngle) {
  const auto at = [](double angle) {
    return Vector{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  };
  for (const double angle : {0.0, 1e-4, 0.3, 1.0, 2.0, 3.0, std::numbers::pi}) {
    EXPECT_NEAR(cosine_similarity(at(0.2), at(0.2 + angle)), std::cos(angle), 2e-7) << angle;
    EXPECT_NEAR(angular_similarity(at(0.2), at(0.2 + angle)), 1 - angle / std::numbers::pi, 2e-7)
        << angle;
  }
  const Vector same = {0.6f, 0.8f};
  EXPECT_EQ(angular_similarity(same, same), 1);
  EXPECT_LE(cosine_similarity(Vector{1.0001f}, Vector{1}), 1);
  EXPECT_GE(cosine_similarity(Vector{1.0001f}, Vector{-1}), -1);
  EXPECT_EQ(angular_similarity(Vector{1}, Vector{-1}), 0);
  EXPECT_THROW(cosine_similarity(Vector{1}, same), std::logic_error);
  EXPECT_THROW(angular_similarity(Vector{1}, same), std::logic_error);
}

bool minilm_is_there() {
  try {
    return is_fetched(find_asset("minilm"));
  } catch (const Error&) {  // no home folder
    return false;
  }
}

TEST(SentenceEncoderOfMiniLm, HasThePublishedVectors) {
  if (!minilm_is_there()) GTEST_SKIP() << "run: textcrs data fetch minilm";
  const auto folder = asset_main_file(find_asset("minilm"));
  const SentenceEncoder exact(folder, {.precision = Precision::kFp32}), rounded(folder);
  const auto vector = [](const SentenceEncoder& encoder, const std::string& sentence) {
    const Words words = {sentence};
    return encoder.encode(std::span(&words, 1));
  };
  // What the examples of the model's card (sentence-transformers/all-MiniLM-L6-v2) print.
  const std::map<std::string, std::vector<double>> published = {
      {"This is an example sentence", {0.0677, 0.0635, 0.0487}},
      {"Each sentence is converted", {0.0864, 0.1027, 0.0054}}};
  for (const auto& [sentence, expected] : published) {
    const Vector one = vector(exact, sentence), other = vector(rounded, sentence);
    for (size_t d = 0; d < expected.size(); ++d) EXPECT_NEAR(one[d], expected[d], 1e-3);
    EXPECT_GT(cosine_similarity(one, other), 0.9999);
  }
  const auto cosine = [&](const std::string& a, const std::string& b) {
    return cosine_similarity(vector(rounded, a), vector(rounded, b));
  };
  EXPECT_GT(cosine("The film was wonderful.", "The movie was great."), 0.7);
  EXPECT_LT(cosine("The film was wonderful.", "How do I change a flat tire?"), 0.15);
}

}  // namespace
}  // namespace textcrs
