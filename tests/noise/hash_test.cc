#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <stdexcept>

#include "noise/fixture.h"
#include "textcrs/noise/word_hash.h"

namespace textcrs {
namespace {

using testing::context;

// Published test vectors of FNV-1a (64 bits) and the first output of splitmix64 with seed 0.
TEST(WordHash, KnownAnswers) {
  EXPECT_EQ(spelling_hash(""), 0xcbf29ce484222325u);
  EXPECT_EQ(spelling_hash("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(spelling_hash("foobar"), 0x85944171f73967e8u);
  EXPECT_EQ(mix_bits(0x9e3779b97f4a7c15u), 0xe220a8397b1dcdafu);
}

TEST(WordHash, BytesAboveAsciiAreUnsigned) {
  // (basis ^ 0xc3) * prime, then (.. ^ 0xa9) * prime: "e" with an acute accent.
  uint64_t hash = (0xcbf29ce484222325u ^ 0xc3u) * 0x100000001b3u;
  hash = (hash ^ 0xa9u) * 0x100000001b3u;
  EXPECT_EQ(spelling_hash("\xc3\xa9"), hash);
}

TEST(WordHash, BucketsAreEven) {
  std::vector<int> counts(8);
  for (int i = 0; i < 8000; ++i) ++counts[word_bucket(spelling_hash(std::to_string(i)), 3, 8)];
  double statistic = 0;
  for (const int count : counts) statistic += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_GT(boost::math::gamma_q(3.5, statistic / 2), testing::kSmallestP);
}

TEST(WordHash, FunctionsAreIndependent) {
  std::vector<int> counts(16);
  for (int i = 0; i < 16000; ++i) {
    const uint64_t spelling = spelling_hash(std::to_string(i));
    ++counts[word_bucket(spelling, 0, 4) * 4 + word_bucket(spelling, 1, 4)];
  }
  double statistic = 0;
  for (const int count : counts) statistic += (count - 1000.0) * (count - 1000.0) / 1000.0;
  EXPECT_GT(boost::math::gamma_q(7.5, statistic / 2), testing::kSmallestP);
}

Words random_text(size_t longest) {
  return *rc::gen::resize(static_cast<int>(longest),
                          rc::gen::container<Words>(rc::gen::inRange<WordId>(0, 10)));
}

TEST(Hash, ThePiecesOfAFunctionAreTheText) {
  EXPECT_TRUE(rc::check("bucket by bucket, every word is there once", [] {
    const auto noise = make_noise("hash:buckets=4,functions=3", context());
    Words text = random_text(30);
    for (uint64_t t = 0; t < 3; ++t) {
      Words all, piece;
      for (uint64_t b = 0; b < 4; ++b) {
        noise->outcome(text, t * 4 + b, piece);
        for (const WordId word : piece)
          RC_ASSERT(word_bucket(spelling_hash(testing::vocabulary().word(word)),
                                static_cast<uint32_t>(t), 4) == b);
        all.insert(all.end(), piece.begin(), piece.end());
      }
      std::sort(all.begin(), all.end());
      std::sort(text.begin(), text.end());
      RC_ASSERT(all == text);
    }
  }));
}

TEST(Hash, OrderIsInvisible) {
  EXPECT_TRUE(rc::check("a reordered text has the same pieces", [] {
    const auto noise = make_noise("hash:buckets=3,functions=5", context());
    const Words text = random_text(30);
    Words reordered = text, a, b;
    Stream stream(*rc::gen::arbitrary<uint64_t>(), 0, 0);
    stream.shuffle(std::span(reordered));
    for (uint64_t k = 0; k < 15; ++k) {
      noise->outcome(text, k, a);
      noise->outcome(reordered, k, b);
      RC_ASSERT(a == b);
    }
  }));
}

// docs/certificates.md, B9: each word whose count changes moves one piece of each function.
TEST(Hash, AnInsertedWordChangesOnePieceOfEachFunction) {
  const auto noise = make_noise("hash:buckets=4,functions=6", context());
  const Words text = {3, 4, 5, 6, 7, 3};
  Words longer = text, a, b;
  for (int copies = 1; copies < 4; ++copies) {
    longer.push_back(8);
    for (uint64_t t = 0; t < 6; ++t) {
      int changed = 0;
      for (uint64_t bucket = 0; bucket < 4; ++bucket) {
        noise->outcome(text, t * 4 + bucket, a);
        noise->outcome(longer, t * 4 + bucket, b);
        changed += a != b;
      }
      EXPECT_EQ(changed, 1);
    }
  }
}

TEST(Hash, DependsOnTheSpellingNotOnTheId) {
  const Vocabulary other({"g", "f", "e", "d", "c", "b", "a"});
  NoiseContext renumbered = context();
  renumbered.vocabulary = &other;
  const auto noise = make_noise("hash:buckets=2,functions=4", context());
  const auto again = make_noise("hash:buckets=2,functions=4", renumbered);
  const Words text = {3, 4, 4, 9, 7, kUnk};
  Words other_text, a, b;
  for (const WordId word : text) other_text.push_back(other.id(testing::vocabulary().word(word)));
  for (uint64_t k = 0; k < 8; ++k) {
    noise->outcome(text, k, a);
    again->outcome(other_text, k, b);
    for (WordId& word : b) word = testing::vocabulary().id(other.word(word));
    EXPECT_EQ(a, b);
  }
}

// Computed with an independent program: certificates counted today must hold tomorrow.
TEST(Hash, PiecesNeverChange) {
  const Words text = {3, 4, 5, 6, 7, 8, 9, kUnk};
  Words out;
  make_noise("hash:buckets=1,functions=1", context())->outcome(text, 0, out);
  EXPECT_EQ(out, (Words{3, 4, 6, kUnk, 9, 5, 7, 8}));
  const auto noise = make_noise("hash:buckets=3,functions=3", context());
  const Words words = {3, 4, 5, 6, 7, 8, 9};
  noise->outcome(words, 1 * 3 + 2, out);  // function 1, bucket 2
  EXPECT_EQ(out, (Words{3, 9, 5}));
  noise->outcome(words, 2 * 3 + 0, out);
  EXPECT_EQ(out, (Words{6, 7}));
}

TEST(Hash, AnIdBeyondTheVocabularyIsABug) {
  const auto noise = make_noise("hash:buckets=2,functions=1", context());
  Words out;
  EXPECT_THROW(noise->outcome(Words{10}, 0, out), std::logic_error);
}

}  // namespace
}  // namespace textcrs
