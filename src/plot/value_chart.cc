#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "plot/density.h"
#include "textcrs/base/error.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/stream.h"
#include "textcrs/plot/embedding_figures.h"

namespace textcrs::plot {
namespace {

constexpr size_t kPoints = 161;
constexpr double kLeftOut = 0.0005;       // of the numbers at each end
constexpr double kRowProportion = 0.115;  // height by width
constexpr double kHighest = 0.9;          // of the room of a row

struct Dimension {
  size_t number = 0;
  std::vector<double> values;  // ascending
  double mean = 0, deviation = 0;

  double normal(double x) const {
    const double z = (x - mean) / deviation;
    return std::exp(-z * z / 2) / (deviation * std::sqrt(2 * std::numbers::pi));
  }
};

Dimension read_dimension(const WordMatrix& matrix, size_t number) {
  Dimension read;
  read.number = number;
  for (size_t row = 0; row < matrix.words(); ++row)
    read.values.push_back(matrix.values[row * matrix.dimension + number]);
  std::sort(read.values.begin(), read.values.end());
  const auto n = static_cast<double>(read.values.size());
  read.mean = std::accumulate(read.values.begin(), read.values.end(), 0.0) / n;
  for (const double value : read.values)
    read.deviation += (value - read.mean) * (value - read.mean) / n;
  read.deviation = std::sqrt(read.deviation);
  return read;
}

// In ascending order; those whose numbers are all the same have no distribution.
std::vector<Dimension> drawn_dimensions(const WordMatrix& matrix, const ValueOptions& options) {
  std::vector<size_t> numbers(matrix.dimension);
  std::iota(numbers.begin(), numbers.end(), size_t{0});
  if (options.dimensions < numbers.size())
    Stream(options.seed, 0, 0, lane::kShownDimensions).shuffle(std::span(numbers));
  std::vector<Dimension> drawn;
  for (size_t i = 0; i < numbers.size() && drawn.size() < options.dimensions; ++i) {
    Dimension dimension = read_dimension(matrix, numbers[i]);
    if (dimension.values.front() < dimension.values.back()) drawn.push_back(std::move(dimension));
  }
  std::sort(drawn.begin(), drawn.end(),
            [](const Dimension& a, const Dimension& b) { return a.number < b.number; });
  return drawn;
}

Series row_of(std::vector<Point> points, size_t row, double scale) {
  for (Point& point : points) point.y = static_cast<double>(row) + scale * point.y;
  Series series;
  series.form = Series::Form::kCurve;
  series.points = std::move(points);
  return series;
}

Panel panel_of(const WordMatrix& matrix, const ValueOptions& options) {
  const std::vector<Dimension> dimensions = drawn_dimensions(matrix, options);
  if (dimensions.empty())
    throw usage_error(
        fmt::format("{}: there is nothing to draw: all words have the same numbers", matrix.name));
  double from = dimensions[0].values.back(), to = dimensions[0].values.front();
  for (const Dimension& dimension : dimensions) {
    from = std::min(from, quantile_of_sorted(dimension.values, kLeftOut));
    to = std::max(to, quantile_of_sorted(dimension.values, 1 - kLeftOut));
  }
  std::vector<std::vector<Point>> seen, normal;
  double highest = 0;
  for (const Dimension& dimension : dimensions) {
    seen.push_back(density_curve(dimension.values, from, to, kPoints, false));
    normal.push_back(seen.back());
    for (Point& point : normal.back()) point.y = dimension.normal(point.x);
    for (const auto* curve : {&seen.back(), &normal.back()})
      for (const Point& point : *curve) highest = std::max(highest, point.y);
  }
  Panel panel;
  panel.title = matrix.name;
  panel.proportion = std::clamp(kRowProportion * static_cast<double>(dimensions.size()), 0.5, 1.5);
  panel.x = {"value", from, to};
  panel.y = {"dimension", 0, static_cast<double>(dimensions.size())};
  for (size_t i = 0; i < dimensions.size(); ++i) {
    const size_t row = dimensions.size() - 1 - i;  // the first one on top
    Series numbers = row_of(std::move(seen[i]), row, kHighest / highest);
    Series curve = row_of(std::move(normal[i]), row, kHighest / highest);
    curve.style = 1;
    curve.proved = false;
    if (i == 0) {
      numbers.label = "numbers of all words";
      curve.label = "normal, of their mean and deviation";
    }
    panel.series.push_back(std::move(numbers));
    panel.series.push_back(std::move(curve));
    panel.y.ticks.push_back({static_cast<double>(row), std::to_string(dimensions[i].number + 1)});
  }
  return panel;
}

}  // namespace

Chart value_chart(const std::vector<WordMatrix>& matrices, const ValueOptions& options) {
  if (matrices.empty()) throw usage_error("there are no word vectors to draw");
  if (options.dimensions == 0) throw usage_error("dimensions is 0, expected 1 or more");
  Chart chart;
  chart.title = options.title;
  for (const WordMatrix& matrix : matrices) chart.panels.push_back(panel_of(matrix, options));
  return chart;
}

}  // namespace textcrs::plot
