// The embedding change against all matchings, written out.
#include "textcrs/certify/embedding_change.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "certify/transport.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using Words = std::vector<WordId>;

// Rows of its own behind an Embeddings; row 0 is PAD's.
struct Vectors {
  std::vector<float> rows;
  int dimension;

  Embeddings view() const { return {rows, dimension}; }
};

// Word i is the i-th point of a line; PAD is 0.
Vectors line(std::vector<float> points) {
  points.insert(points.begin(), 0);
  return {points, 1};
}

Vectors random_vectors(int words, int dimension, Stream& stream) {
  Vectors vectors{std::vector<float>(static_cast<size_t>(words * dimension)), dimension};
  stream.normals(vectors.rows);
  std::fill_n(vectors.rows.begin(), dimension, 0.0f);
  return vectors;
}

Words random_text(int words, int length, Stream& stream) {
  Words text;
  for (int i = 0; i < length; ++i)
    text.push_back(static_cast<WordId>(stream.below(static_cast<uint32_t>(words))));
  return text;
}

// The smallest sum of squares over all permutations of the slots, in extended precision.
long double by_all_matchings(const Vectors& vectors, int slots, Words text, Words edited) {
  text.resize(static_cast<size_t>(slots), kPad);
  edited.resize(static_cast<size_t>(slots), kPad);
  std::sort(edited.begin(), edited.end());
  long double best = std::numeric_limits<long double>::infinity();
  do {
    long double sum = 0;
    for (size_t i = 0; i < text.size(); ++i)
      for (int d = 0; d < vectors.dimension; ++d) {
        const long double difference =
            static_cast<long double>(vectors.view().of(text[i])[static_cast<size_t>(d)]) -
            vectors.view().of(edited[i])[static_cast<size_t>(d)];
        sum += difference * difference;
      }
    best = std::min(best, sum);
  } while (std::next_permutation(edited.begin(), edited.end()));
  return std::sqrt(best);
}

void expect_all_matchings(const Vectors& vectors, int slots, const Words& text,
                          const Words& edited) {
  const long double exact = by_all_matchings(vectors, slots, text, edited);
  const double change = EmbeddingChange(vectors.view(), slots).distance(text, edited);
  EXPECT_GE(change, exact);  // from above, never below
  EXPECT_LE(change, exact * (1 + 1e-12L));
}

TEST(EmbeddingChange, AChainOfSmallStepsBeatsOneLargeStep) {
  const Vectors vectors = line({0, 1, 2});
  // 0 -> 1 and 1 -> 2 cost 1 + 1; leaving 1 in place would cost (2 - 0)^2.
  EXPECT_NEAR(EmbeddingChange(vectors.view(), 2).distance(Words{1, 2}, Words{2, 3}), std::sqrt(2),
              1e-12);
}

TEST(EmbeddingChange, IsTheBestOfAllMatchingsOnALine) {
  Stream stream(1, 0, 0);
  for (int round = 0; round < 300; ++round) {
    const int slots = 1 + static_cast<int>(stream.below(7));
    Vectors vectors = line({});
    for (int i = 0; i < 6; ++i)  // also points that coincide with each other and with PAD
      vectors.rows.push_back(static_cast<float>(stream.below(9)) - 4);
    expect_all_matchings(vectors, slots, random_text(7, static_cast<int>(stream.below(8)), stream),
                         random_text(7, static_cast<int>(stream.below(8)), stream));
    if (HasFailure()) break;
  }
}

TEST(EmbeddingChange, IsTheBestOfAllMatchingsOfRandomVectors) {
  Stream stream(2, 0, 0);
  for (const int dimension : {1, 2, 3, 5, 8})
    for (int round = 0; round < 100; ++round) {
      const int slots = 1 + static_cast<int>(stream.below(7));
      const int words = 2 + static_cast<int>(stream.below(10));  // few: many repeats
      const Vectors vectors = random_vectors(words, dimension, stream);
      const auto text = [&] {
        return random_text(words, static_cast<int>(stream.below(static_cast<uint32_t>(slots) + 1)),
                           stream);
      };
      expect_all_matchings(vectors, slots, text(), text());
      if (HasFailure()) return;
    }
}

// On a line the best matching of equally many points goes by rank, however many there are.
TEST(EmbeddingChange, MatchesByRankOnALine) {
  Stream stream(3, 0, 0);
  const int slots = 120;
  for (int round = 0; round < 20; ++round) {
    const Vectors vectors = random_vectors(60, 1, stream);
    const Words text = random_text(60, 100, stream), edited = random_text(60, 90, stream);
    std::vector<float> a, b;
    for (const WordId word : text) a.push_back(vectors.rows[static_cast<size_t>(word)]);
    for (const WordId word : edited) b.push_back(vectors.rows[static_cast<size_t>(word)]);
    a.resize(slots);
    b.resize(slots);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += std::pow(double{a[i]} - double{b[i]}, 2);
    EXPECT_NEAR(EmbeddingChange(vectors.view(), slots).distance(text, edited), std::sqrt(sum),
                1e-10);
  }
}

// The laws of a distance between multisets.
TEST(EmbeddingChange, IsADistance) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    Stream stream(seed, 0, 0);
    const int slots = 1 + static_cast<int>(stream.below(20));
    const Vectors vectors = random_vectors(15, 4, stream);
    const EmbeddingChange change(vectors.view(), slots);
    const auto text = [&] { return random_text(15, static_cast<int>(stream.below(25)), stream); };
    const Words x = text(), y = text(), z = text();
    RC_ASSERT(change.distance(x, x) == 0);
    RC_ASSERT(std::abs(change.distance(x, y) - change.distance(y, x)) <= 1e-12);
    RC_ASSERT(change.distance(x, z) <= change.distance(x, y) + change.distance(y, z) + 1e-12);
  }));
}

TEST(EmbeddingChange, IsZeroForReorderingsThatFit) {
  Stream stream(4, 0, 0);
  const Vectors vectors = random_vectors(10, 3, stream);
  for (int round = 0; round < 50; ++round) {
    const Words text = random_text(10, 12, stream);
    Words edited = text;
    stream.shuffle(std::span(edited));
    EXPECT_EQ(EmbeddingChange(vectors.view(), 12).distance(text, edited), 0);
    EXPECT_EQ(EmbeddingChange(vectors.view(), 20).distance(text, edited), 0);
  }
}

TEST(EmbeddingChange, SeesOnlyTheSlots) {
  const Vectors vectors = line({1, 2, 5});
  const EmbeddingChange change(vectors.view(), 2);
  EXPECT_EQ(change.distance(Words{1, 2, 3}, Words{2, 1, 1, 1}), 0);
  EXPECT_NEAR(change.distance(Words{1, 2, 3}, Words{1, 3, 2}), 3, 1e-12);  // a 5 for the 2
  EXPECT_NEAR(change.distance(Words{1, 2, 3}, Words{}), std::sqrt(5), 1e-12);
}

// Sums that double precision can not hold exactly are raised, never lowered.
TEST(EmbeddingChange, ErrsUpwardsAtExtremeLengths) {
  for (const float size : {std::numeric_limits<float>::denorm_min(), 1e-30f, 0.1f, 1e30f,
                           std::numeric_limits<float>::max()}) {
    const Vectors vectors = line({size, size / 3, -size, -size / 7});
    expect_all_matchings(vectors, 4, {1, 2, 3}, {4, 4});
  }
}

TEST(EmbeddingChange, RefusesWordsWithoutAFiniteVector) {
  const Vectors vectors = line({1, std::numeric_limits<float>::quiet_NaN()});
  const EmbeddingChange change(vectors.view(), 4);
  EXPECT_THROW(change.distance(Words{1}, Words{3}), std::logic_error);
  EXPECT_THROW(change.distance(Words{-1}, Words{1}), std::logic_error);
  EXPECT_THROW(change.distance(Words{1}, Words{2}), std::logic_error);
  EXPECT_THROW(EmbeddingChange(vectors.view(), 0), std::logic_error);
  EXPECT_THROW(EmbeddingChange({}, 4), std::logic_error);
  EXPECT_THROW(EmbeddingChange({std::span(vectors.rows), 2}, 4), std::logic_error);
}

TEST(Transport, RefusesUnequalSums) {
  const std::vector<int> one{1, 0}, two{1, 1};
  const std::vector<double> free{0, 0};
  EXPECT_THROW(cheapest_transport(one, two, [&](size_t) { return std::span(free); }),
               std::logic_error);
}

// One place after the other, edited by hand and measured as a whole.
SingleEdits one_by_one(const EmbeddingChange& change, const Words& text,
                       const std::vector<Words>& near, double radius) {
  SingleEdits edits;
  const auto covered = [&](const Words& edited) {
    return change.distance(text, edited) <= radius ? 1u : 0u;
  };
  Words inserted;
  for (size_t i = 0; i < text.size(); ++i) {
    Words edited = text;
    edited.erase(edited.begin() + static_cast<std::ptrdiff_t>(i));
    ++edits.deletions;
    edits.deletions_covered += covered(edited);
    for (const WordId other : near[static_cast<size_t>(text[i])]) {
      edited = text;
      edited[i] = other;
      ++edits.substitutions;
      edits.substitutions_covered += covered(edited);
      if (std::find(inserted.begin(), inserted.end(), other) == inserted.end())
        inserted.push_back(other);
    }
  }
  for (const WordId other : inserted) {
    bool everywhere = true;
    for (size_t i = 0; i <= text.size(); ++i) {
      Words edited = text;
      edited.insert(edited.begin() + static_cast<std::ptrdiff_t>(i), other);
      everywhere = everywhere && covered(edited);
    }
    ++edits.insertions;
    edits.insertions_covered += everywhere ? 1 : 0;
  }
  return edits;
}

TEST(SingleEdits, AgreeWithTheEditedTexts) {
  Stream stream(5, 0, 0);
  SingleEdits seen;
  for (int round = 0; round < 120; ++round) {
    const int slots = 3 + static_cast<int>(stream.below(6)), words = 14;
    const int dimension = 1 + static_cast<int>(stream.below(3));
    const Vectors vectors = random_vectors(words, dimension, stream);
    std::vector<Words> near;
    for (int i = 0; i < words; ++i)
      near.push_back(random_text(words, static_cast<int>(stream.below(4)), stream));
    const Words text = random_text(words, static_cast<int>(stream.below(10)), stream);
    const double radius = 3 * stream.uniform();
    const EmbeddingChange change(vectors.view(), slots);
    const SingleEdits edits = change.single_edits(
        text, [&](WordId word) { return std::span<const WordId>(near[size_t(word)]); }, radius);
    const SingleEdits expected = one_by_one(change, text, near, radius);
    EXPECT_EQ(edits.in_words(), expected.in_words()) << round;
    seen.insertions += edits.insertions - edits.insertions_covered;
    seen.insertions_covered += edits.insertions_covered;
    seen.substitutions += edits.substitutions - edits.substitutions_covered;
    seen.substitutions_covered += edits.substitutions_covered;
    seen.deletions += edits.deletions - edits.deletions_covered;
    seen.deletions_covered += edits.deletions_covered;
  }
  for (const size_t count : {seen.insertions, seen.insertions_covered, seen.substitutions,
                             seen.substitutions_covered, seen.deletions, seen.deletions_covered})
    EXPECT_GT(count, 50u);  // both answers were met
}

TEST(SingleEdits, CountEachKindInItsOwnWay) {
  // Words 1 and 2 at 1 and 4; word 3 at 1.5 is near both, word 4 at 4.25 is near word 2.
  const Vectors vectors = line({1, 4, 1.5, 4.25});
  const std::vector<Words> near{{}, {3}, {3, 4}, {}, {}};
  const auto near_words = [&](WordId word) { return std::span<const WordId>(near[size_t(word)]); };
  const EmbeddingChange change(vectors.view(), 8);
  const SingleEdits edits = change.single_edits(Words{1, 2, 1}, near_words, 1.2);
  // Inserted: 0 -> 1 -> 1.5 costs 1 + .25; 4.25 is out of reach.
  EXPECT_EQ(edits.insertions, 2u);
  EXPECT_EQ(edits.insertions_covered, 1u);
  // 1 -> 1.5 twice and 4 -> 4.25; 4 -> 1.5 is too far.
  EXPECT_EQ(edits.substitutions, 4u);
  EXPECT_EQ(edits.substitutions_covered, 3u);
  // 1 -> 0 twice.
  EXPECT_EQ(edits.deletions, 3u);
  EXPECT_EQ(edits.deletions_covered, 2u);
  EXPECT_EQ(edits.in_words(),
            "of the single edits, 1 of 2 insertions, 3 of 4 substitutions and 2 of 3 deletions");

  const SingleEdits all =
      change.single_edits(Words{1, 2, 1}, near_words, std::numeric_limits<double>::infinity());
  EXPECT_EQ(all.insertions_covered, all.insertions);
  EXPECT_EQ(all.substitutions_covered, all.substitutions);
  EXPECT_EQ(all.deletions_covered, all.deletions);
}

}  // namespace
}  // namespace textcrs
