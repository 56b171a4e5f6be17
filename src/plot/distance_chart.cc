#include <fmt/format.h>

#include <algorithm>

#include "plot/density.h"
#include "textcrs/base/error.h"
#include "textcrs/plot/embedding_figures.h"

namespace textcrs::plot {
namespace {

constexpr size_t kPoints = 161;
constexpr double kShown = 0.995;  // of the pairs of the largest rank

void check(const std::vector<WordMatrix>& matrices, const DistanceOptions& options) {
  if (matrices.empty()) throw usage_error("there are no word vectors to draw");
  if (options.ranks.empty()) throw usage_error("there is no rank to draw");
  if (options.words == 0) throw usage_error("words is 0, expected 1 or more");
  for (const size_t rank : options.ranks) {
    if (rank == 0) throw usage_error("a rank is 0, expected 1 or more");
    for (const WordMatrix& matrix : matrices)
      if (matrix.words() <= rank)
        throw usage_error(fmt::format("{} has {} words, expected more than the rank {}",
                                      matrix.name, matrix.words(), rank));
  }
}

// Between the words and their k nearest, ascending.
std::vector<double> pairs_of(const std::vector<std::vector<float>>& nearest, size_t k) {
  std::vector<double> pairs;
  for (const std::vector<float>& distances : nearest)
    pairs.insert(pairs.end(), distances.begin(),
                 distances.begin() + static_cast<std::ptrdiff_t>(k));
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

std::vector<Point> shares_of(const std::vector<double>& pairs, double from, double to) {
  std::vector<Point> curve;
  for (size_t i = 0; i < kPoints; ++i) {
    const double x = from + (to - from) * static_cast<double>(i) / (kPoints - 1);
    const auto within = std::upper_bound(pairs.begin(), pairs.end(), x) - pairs.begin();
    curve.push_back({x, 100 * static_cast<double>(within) / static_cast<double>(pairs.size())});
  }
  return curve;
}

void add_panels(const WordMatrix& matrix, const DistanceOptions& options, StopToken stop,
                std::vector<Panel>& panels) {
  const size_t most = *std::max_element(options.ranks.begin(), options.ranks.end());
  const auto nearest =
      nearest_distances(matrix, most, options.words, options.seed, options.threads, stop);
  const std::vector<double> all = pairs_of(nearest, most);
  const double far = quantile_of_sorted(all, kShown), end = far > 0 ? far : 1;
  Panel density, shares;
  density.title = shares.title = matrix.name;
  density.x = shares.x = {"euclidean distance", 0, end};
  density.y = {"density", 0};
  shares.y = {"pairs at most so far, %", 0, 100};
  for (size_t i = 0; i < options.ranks.size(); ++i) {
    stop.check();
    const std::vector<double> pairs = pairs_of(nearest, options.ranks[i]);
    Series curve;
    curve.label = fmt::format("k = {}", options.ranks[i]);
    curve.form = Series::Form::kMarkedCurve;
    curve.style = i;
    curve.points = density_curve(pairs, 0, end, kPoints, true);
    density.series.push_back(curve);
    curve.points = shares_of(pairs, 0, end);
    shares.series.push_back(std::move(curve));
  }
  panels.push_back(std::move(density));
  panels.push_back(std::move(shares));
}

}  // namespace

Chart distance_chart(const std::vector<WordMatrix>& matrices, const DistanceOptions& options,
                     StopToken stop) {
  check(matrices, options);
  Chart chart;
  chart.title = options.title;
  for (const WordMatrix& matrix : matrices) add_panels(matrix, options, stop, chart.panels);
  return chart;
}

}  // namespace textcrs::plot
