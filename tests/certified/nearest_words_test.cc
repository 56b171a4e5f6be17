#include "textcrs/certified/nearest_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using testing::ElementsAre;

// Five words on a line: 3 at 1, 4 at 2, 5 at 4, 6 without a vector, 7 at 2. MASK is at 1, too.
const std::vector<float> kRows = {0, 0, 0, 0, 1, 0, 1, 0, 2, 0, 4, 0, 0, 0, 2, 0};
const Embeddings kLine = {kRows, 2, {}};

TEST(NearestWords, AreOrderedByDistanceThenById) {
  const NearestWords near(kLine, 3);
  EXPECT_THAT(near.of(3), ElementsAre(4, 7, 5));
  EXPECT_THAT(near.of(4), ElementsAre(7, 3, 5));
  EXPECT_THAT(near.of(5), ElementsAre(4, 7, 3));
  EXPECT_THAT(near.of(kUnk), ElementsAre(3, 4, 7));  // zero, as a word without a vector
}

TEST(NearestWords, OfAWordOutsideAreFoundByItsVector) {
  const NearestWords near(kLine, 2);
  EXPECT_THAT(near.of(std::vector<float>{4, 0}), ElementsAre(5, 4));
  EXPECT_THAT(near.of(std::vector<float>{2, 0}), ElementsAre(4, 7));
}

TEST(NearestWords, AreAtMostAllThereAre) {
  EXPECT_THAT(NearestWords(kLine, 100).of(3), ElementsAre(4, 7, 5));
}

TEST(NearestWords, AreTheSameFromManyThreads) {
  std::vector<float> rows(200 * 4);
  Stream(1, 0, 0).normals(rows);
  std::fill_n(rows.begin(), 4, 0.0F);
  const Embeddings embeddings = {rows, 4, {}};
  const NearestWords shared(embeddings, 5);
  std::vector<std::thread> threads;
  std::vector<std::vector<std::vector<WordId>>> found(4);
  for (auto& mine : found)
    threads.emplace_back([&] {
      for (WordId word = 3; word < 200; ++word) {
        const auto near = shared.of(word);
        mine.emplace_back(near.begin(), near.end());
      }
    });
  for (std::thread& thread : threads) thread.join();
  for (WordId word = 3; word < 200; ++word) {
    const auto expected = NearestWords(embeddings, 5).of(embeddings.of(word));
    // By the vector alone, the word is its own nearest.
    EXPECT_EQ(expected[0], word);
    for (const auto& mine : found)
      EXPECT_TRUE(std::equal(expected.begin() + 1, expected.end(),
                             mine[static_cast<size_t>(word) - 3].begin()));
  }
}

// The text 3 5 and a word of its own at 3, which nobody has as a neighbour.
TEST(NearestWords, SingleEditsCountTheNeighboursOfAllWords) {
  const std::vector<float> own = {3, 0};
  const Embeddings embeddings = {kRows, 2, own};
  const std::vector<WordId> text = {3, 5, 8};
  const std::vector<std::string> spelling = {"own"};
  const NearestWords near(embeddings, 2);
  // Near 3: 4, 7. Near 5: 4, 7. Near the own word, by distance 1 each: 4, 5, of which 4 comes
  // first.
  const SingleEdits edits = single_edits_by(near, embeddings, 10, Text(text, spelling), 1.2);
  EXPECT_EQ(edits.insertions, 3u);  // 4, 5, 7
  EXPECT_EQ(edits.insertions_covered, 0u);
  EXPECT_EQ(edits.substitutions, 6u);
  EXPECT_EQ(edits.substitutions_covered, 4u);  // 3 by 4 or 7, own by 4 or 5
  EXPECT_EQ(edits.deletions, 3u);
  EXPECT_EQ(edits.deletions_covered, 1u);  // 3, which is at 1
}

}  // namespace
}  // namespace textcrs
