#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <random>

#include "textcrs/plot/embedding_figures.h"

namespace textcrs::plot {
namespace {

using testing::ElementsAre;

WordMatrix random_matrix(size_t words, size_t dimension, double scale, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<> normal;
  WordMatrix matrix{"random", dimension, {}};
  for (size_t i = 0; i < words * dimension; ++i)
    matrix.values.push_back(static_cast<float>(scale * normal(random)));
  return matrix;
}

std::vector<std::vector<float>> by_brute_force(const WordMatrix& matrix, size_t count) {
  std::vector<std::vector<float>> nearest;
  for (size_t a = 0; a < matrix.words(); ++a) {
    std::vector<double> squares;
    for (size_t b = 0; b < matrix.words(); ++b) {
      if (a == b) continue;
      double sum = 0;
      for (size_t i = 0; i < matrix.dimension; ++i) {
        const double x = matrix.values[a * matrix.dimension + i];
        const double y = matrix.values[b * matrix.dimension + i];
        sum += (x - y) * (x - y);
      }
      squares.push_back(sum);
    }
    std::sort(squares.begin(), squares.end());
    nearest.emplace_back();
    for (size_t i = 0; i < count; ++i)
      nearest.back().push_back(static_cast<float>(std::sqrt(squares[i])));
  }
  return nearest;
}

TEST(NearestDistances, AreThoseOfBruteForceForAnyNumberOfThreads) {
  // More than one block of rows, and of queries.
  const WordMatrix matrix = random_matrix(1500, 23, 0.3, 1);
  const auto exact = by_brute_force(matrix, 7);
  for (const int threads : {1, 2, 5, 16})
    EXPECT_EQ(nearest_distances(matrix, 7, 1500, 1, threads), exact) << threads << " threads";
}

TEST(NearestDistances, AreExactWhereProductsAreNot) {
  // Far from the origin and near each other, equal, tiny, huge, and all of it together.
  WordMatrix matrix = random_matrix(300, 9, 1e-3, 2);
  for (float& value : matrix.values) value += 100;
  for (size_t i = 0; i < 9; ++i) matrix.values[i] = matrix.values[9 + i] = 0.5f;
  for (const double scale : {1.0, 1e-30, 1e30}) {
    WordMatrix scaled = matrix;
    for (float& value : scaled.values) value = static_cast<float>(value * scale);
    EXPECT_EQ(nearest_distances(scaled, 5, 300, 1, 2), by_brute_force(scaled, 5)) << scale;
  }
  for (size_t i = 0; i < matrix.values.size(); ++i)
    matrix.values[i] *= static_cast<float>(std::pow(10.0, static_cast<int>(i / 9 % 61) - 30));
  EXPECT_EQ(nearest_distances(matrix, 5, 300, 1, 2), by_brute_force(matrix, 5));
}

TEST(NearestDistances, AreOfOtherWordsAlone) {
  const WordMatrix matrix{"line", 1, {0, 1, 3, 3, 7}};
  EXPECT_THAT(nearest_distances(matrix, 2, 5, 1, 1),
              ElementsAre(ElementsAre(1, 3), ElementsAre(1, 2), ElementsAre(0, 2),
                          ElementsAre(0, 2), ElementsAre(4, 4)));
}

TEST(NearestDistances, AreOfWordsThatTheSeedDraws) {
  const WordMatrix matrix = random_matrix(400, 5, 1, 3);
  const auto all = nearest_distances(matrix, 3, 400, 1, 1);
  const auto some = nearest_distances(matrix, 3, 40, 1, 1);
  ASSERT_EQ(some.size(), 40u);
  size_t next = 0;  // different words, in their order
  for (const std::vector<float>& distances : some) {
    while (next < all.size() && all[next] != distances) ++next;
    ASSERT_LT(next++, all.size());
  }
  EXPECT_EQ(nearest_distances(matrix, 3, 40, 1, 4), some);
  EXPECT_NE(nearest_distances(matrix, 3, 40, 2, 1), some);
  EXPECT_EQ(nearest_distances(matrix, 3, 4000, 9, 1), all);
}

TEST(NearestDistances, NeedMoreWordsThanTheyCount) {
  const WordMatrix matrix = random_matrix(5, 3, 1, 4);
  EXPECT_EQ(nearest_distances(matrix, 4, 5, 1, 1)[0].size(), 4u);
  EXPECT_THROW(nearest_distances(matrix, 5, 5, 1, 1), std::logic_error);
  EXPECT_THROW(nearest_distances({}, 1, 5, 1, 1), std::logic_error);
}

TEST(NearestDistances, StopWhenTheyAreAskedTo) {
  const std::atomic<bool> stopped{true};
  for (const int threads : {1, 3}) {
    try {
      nearest_distances(random_matrix(50, 3, 1, 5), 3, 50, 1, threads, StopToken(stopped));
      ADD_FAILURE() << "it went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
    }
  }
}

}  // namespace
}  // namespace textcrs::plot
