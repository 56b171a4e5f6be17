#include "engine/sentence_votes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "model/expect_error.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

std::vector<double> random_scores(uint32_t seed, size_t count, double scale) {
  Stream stream(seed, 0, 0);
  std::vector<float> normals(count);
  stream.normals(normals);
  std::vector<double> scores;
  for (const float normal : normals) scores.push_back(scale * normal);
  return scores;
}

TEST(SentenceVotes, AreSharesOfOneWholeVote) {
  for (const size_t classes : {2, 3, 7})
    for (const double scale : {0.1, 1.0, 30.0, 1e300}) {
      const auto scores = random_scores(4, 20 * classes, scale);
      const auto votes = sentence_votes(scores, classes);
      ASSERT_EQ(votes.size(), scores.size());
      for (size_t row = 0; row < 20; ++row) {
        const auto* const begin = votes.data() + row * classes;
        for (size_t c = 0; c < classes; ++c) {
          EXPECT_GE(begin[c], 0);
          EXPECT_LE(begin[c], kWholeVote);
          for (size_t other = 0; other < classes; ++other)
            if (scores[row * classes + c] >= scores[row * classes + other])
              EXPECT_GE(begin[c], begin[other]);
        }
        EXPECT_NEAR(std::accumulate(begin, begin + classes, 0), kWholeVote,
                    static_cast<double>(classes) / 2);
      }
    }
}

TEST(SentenceVotes, AreTheRoundedSoftmax) {
  EXPECT_EQ(sentence_votes(std::vector<double>{0, 0}, 2), (std::vector<int32_t>{2048, 2048}));
  EXPECT_EQ(sentence_votes(std::vector<double>{std::log(3.0), 0, 1000, 1000}, 2),
            (std::vector<int32_t>{3072, 1024, 2048, 2048}));
  EXPECT_EQ(sentence_votes(std::vector<double>{-1000, 1000}, 2),
            (std::vector<int32_t>{0, kWholeVote}));
  EXPECT_TRUE(sentence_votes({}, 2).empty());
}

TEST(SentenceVotes, OfARowDependOnTheRowAlone) {
  const auto scores = random_scores(9, 300, 2);
  const auto all = sentence_votes(scores, 3);
  for (size_t row = 0; row < 100; ++row) {
    const auto alone = sentence_votes(std::span(scores).subspan(3 * row, 3), 3);
    EXPECT_TRUE(
        std::equal(alone.begin(), alone.end(), all.begin() + static_cast<ptrdiff_t>(3 * row)));
  }
}

TEST(SentenceVotes, ScoresThatAreNotFiniteAreRefused) {
  for (const double bad : {std::numeric_limits<double>::infinity(), std::nan("")})
    expect_error(ErrorKind::kBadInput, [&] { sentence_votes(std::vector<double>{0, bad}, 2); });
}

}  // namespace
}  // namespace textcrs
