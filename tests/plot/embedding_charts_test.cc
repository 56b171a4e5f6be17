#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "plot/hand_made_runs.h"
#include "textcrs/plot/embedding_figures.h"

namespace textcrs::plot {
namespace {

using testing::HasSubstr;

// What lies below a curve, by the trapezoidal rule.
double area(const std::vector<Point>& points, double base = 0) {
  double sum = 0;
  for (size_t i = 1; i < points.size(); ++i)
    sum += (points[i].x - points[i - 1].x) * ((points[i].y + points[i - 1].y) / 2 - base);
  return sum;
}

// Dimension i has the mean i and the deviation 1 + i / 2.
WordMatrix normal_matrix(size_t words, size_t dimension) {
  std::mt19937 random(11);
  std::normal_distribution<> normal;
  WordMatrix matrix{"normal", dimension, {}};
  for (size_t word = 0; word < words; ++word)
    for (size_t i = 0; i < dimension; ++i)
      matrix.values.push_back(static_cast<float>(
          static_cast<double>(i) + (1 + static_cast<double>(i) / 2) * normal(random)));
  return matrix;
}

TEST(DistanceChart, SaysWhichShareOfThePairsIsNoFurther) {
  // Pairs of the rank 1: 1, 1, 2, 4; of the rank 2: these and 3, 2, 3, 6.
  DistanceOptions options;
  options.title = "distances";
  options.ranks = {1, 2};
  const Chart chart = distance_chart({{"line", 1, {0, 1, 3, 7}}}, options);
  EXPECT_EQ(chart.title, "distances");
  ASSERT_EQ(chart.panels.size(), 2u);
  ASSERT_EQ(chart.panels[1].series.size(), 2u);
  const std::vector<double> pairs[] = {{1, 1, 2, 4}, {1, 1, 2, 4, 3, 2, 3, 6}};
  for (size_t rank = 0; rank < 2; ++rank) {
    const Series& curve = chart.panels[1].series[rank];
    EXPECT_EQ(curve.label, "k = " + std::to_string(rank + 1));
    EXPECT_EQ(curve.style, rank);
    for (const Point& point : curve.points) {
      const auto within = std::count_if(pairs[rank].begin(), pairs[rank].end(),
                                        [&](double pair) { return pair <= point.x; });
      ASSERT_DOUBLE_EQ(point.y,
                       100 * static_cast<double>(within) / static_cast<double>(pairs[rank].size()))
          << point.x;
    }
    EXPECT_EQ(curve.points.front().x, 0);
  }
}

TEST(DistanceChart, HasDensitiesOfAreaOne) {
  DistanceOptions options;
  options.ranks = {1, 5, 20};
  options.threads = 2;
  const Chart chart = distance_chart({normal_matrix(800, 6), normal_matrix(300, 3)}, options);
  ASSERT_EQ(chart.panels.size(), 4u);
  for (const size_t panel : {0, 2})
    for (const Series& curve : chart.panels[panel].series) {
      EXPECT_NEAR(area(curve.points), 1, 0.02) << curve.label;
      for (const Point& point : curve.points) EXPECT_GE(point.y, 0);
    }
}

TEST(DistanceChart, ShowsWordsThatAreAllTheSame) {
  DistanceOptions options;
  options.ranks = {1};
  const Chart chart = distance_chart({{"same", 2, std::vector<float>(12, 1.0f)}}, options);
  for (const Point& point : chart.panels[1].series[0].points) EXPECT_EQ(point.y, 100);
  EXPECT_NEAR(area(chart.panels[0].series[0].points), 1, 0.05);
}

TEST(DistanceChart, RefusesWhatItCanNotDraw) {
  const WordMatrix four{"four", 1, {0, 1, 3, 7}};
  DistanceOptions options;
  EXPECT_THAT(refused([&] { distance_chart({}, options); }), HasSubstr("no word vectors"));
  EXPECT_THAT(refused([&] { distance_chart({four}, options); }),
              HasSubstr("four has 4 words, expected more than the rank 5"));
  options.ranks = {3};
  EXPECT_EQ(distance_chart({four}, options).panels.size(), 2u);
  options.ranks = {0};
  EXPECT_THAT(refused([&] { distance_chart({four}, options); }), HasSubstr("a rank is 0"));
  options.ranks = {};
  EXPECT_THAT(refused([&] { distance_chart({four}, options); }), HasSubstr("no rank"));
  options = {.ranks = {1}, .words = 0};
  EXPECT_THAT(refused([&] { distance_chart({four}, options); }), HasSubstr("words is 0"));
}

// A row of the figure begins at a whole number; above it are a density and its normal one.
TEST(ValueChart, ShowsEachDimensionBesideTheNormalDistributionOfItsMeanAndDeviation) {
  ValueOptions options;
  options.title = "values";
  const WordMatrix matrix = normal_matrix(4000, 4);
  const Chart chart = value_chart({matrix}, options);
  EXPECT_EQ(chart.title, "values");
  ASSERT_EQ(chart.panels.size(), 1u);
  const Panel& panel = chart.panels[0];
  ASSERT_EQ(panel.series.size(), 8u);
  ASSERT_EQ(panel.y.ticks.size(), 4u);
  double scale = 0;
  for (size_t i = 0; i < 4; ++i) {
    const double row = panel.y.ticks[i].at;
    EXPECT_EQ(panel.y.ticks[i].label, std::to_string(i + 1));
    EXPECT_EQ(row, 3 - static_cast<double>(i));
    double mean = 0, deviation = 0;
    for (size_t word = 0; word < 4000; ++word) mean += matrix.values[word * 4 + i] / 4000.0;
    for (size_t word = 0; word < 4000; ++word)
      deviation += std::pow(matrix.values[word * 4 + i] - mean, 2) / 4000.0;
    deviation = std::sqrt(deviation);
    const Series &numbers = panel.series[2 * i], &normal = panel.series[2 * i + 1];
    EXPECT_TRUE(numbers.proved);
    EXPECT_FALSE(normal.proved) << "dashed";
    if (i == 0) scale = area(normal.points, row);
    EXPECT_NEAR(area(normal.points, row), scale, 0.02 * scale) << "one scale";
    EXPECT_NEAR(area(numbers.points, row), scale, 0.02 * scale);
    for (size_t p = 0; p < normal.points.size(); ++p) {
      const double z = (normal.points[p].x - mean) / deviation;
      const double density = std::exp(-z * z / 2) / (deviation * std::sqrt(2 * M_PI));
      EXPECT_NEAR(normal.points[p].y - row, scale * density, 0.01);
      EXPECT_NEAR(numbers.points[p].y, normal.points[p].y, 0.08) << "they are normal";
      EXPECT_LT(normal.points[p].y, row + 1) << "rows do not overlap";
    }
  }
}

TEST(ValueChart, DrawsSomeDimensionsBySeedAndLeavesOutThoseOfOneNumber) {
  WordMatrix matrix = normal_matrix(50, 30);
  ValueOptions options;
  const auto shown = [&] {
    std::vector<int> numbers;
    const Chart chart = value_chart({matrix}, options);
    for (const Tick& tick : chart.panels[0].y.ticks) numbers.push_back(std::stoi(tick.label));
    return numbers;
  };
  const std::vector<int> first = shown();
  ASSERT_EQ(first.size(), 10u);
  EXPECT_TRUE(std::is_sorted(first.begin(), first.end()));
  EXPECT_EQ(std::adjacent_find(first.begin(), first.end()), first.end());
  EXPECT_EQ(shown(), first);
  options.seed = 2;
  EXPECT_NE(shown(), first);
  for (size_t word = 0; word < 50; ++word)
    for (size_t i = 0; i < 28; ++i) matrix.values[word * 30 + i] = 3;
  EXPECT_THAT(shown(), testing::ElementsAre(29, 30));
}

TEST(ValueChart, RefusesWhatItCanNotDraw) {
  EXPECT_THAT(refused([] { value_chart({}); }), HasSubstr("no word vectors"));
  ValueOptions options;
  options.dimensions = 0;
  EXPECT_THAT(refused([&] { value_chart({normal_matrix(5, 2)}, options); }),
              HasSubstr("dimensions is 0"));
  EXPECT_THAT(refused([] {
                value_chart({{"same", 2, {1, 2, 1, 2, 1, 2}}});
              }),
              HasSubstr("same: there is nothing to draw"));
}

}  // namespace
}  // namespace textcrs::plot
