#include "plot/density.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace textcrs::plot {
namespace {

constexpr size_t kBins = 4096;
constexpr double kReach = 8;  // deviations; beyond them a normal density is 0

double deviation_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double square = 0;
  for (const double value : values) square += (value - mean) * (value - mean);
  return std::sqrt(square / n);
}

double width_for(const std::vector<double>& values) {
  const double quartiles =
      (quantile_of_sorted(values, 0.75) - quantile_of_sorted(values, 0.25)) / 1.34;
  double spread = deviation_of(values);
  if (quartiles > 0) spread = std::min(spread, quartiles);
  return 0.9 * spread * std::pow(static_cast<double>(values.size()), -0.2);
}

}  // namespace

double quantile_of_sorted(const std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

std::vector<Point> density_curve(const std::vector<double>& values, double from, double to,
                                 size_t count, bool positive) {
  // The values are counted in bins, which are narrow beside the normal densities.
  const double least = values.front(), bin = (values.back() - least) / kBins;
  const double step = (to - from) / static_cast<double>(count - 1);
  const double width = std::max({width_for(values), 2 * bin, step / 2});
  std::vector<double> bins(kBins + 1);
  for (const double value : values)
    bins[bin > 0 ? static_cast<size_t>((value - least) / bin) : 0] +=
        1 / static_cast<double>(values.size());
  std::vector<Point> curve;
  for (size_t i = 0; i < count; ++i) {
    const double x = from + step * static_cast<double>(i);
    double sum = 0;
    const auto add = [&](double share, double distance) {
      if (std::abs(distance) < kReach * width)
        sum += share * std::exp(-distance * distance / (2 * width * width));
    };
    for (size_t b = 0; b < bins.size(); ++b) {
      if (bins[b] == 0) continue;
      const double value = least + bin * (static_cast<double>(b) + (bin > 0 ? 0.5 : 0));
      add(bins[b], x - value);
      if (positive) add(bins[b], x + value);
    }
    const bool outside = positive && x < 0;
    curve.push_back({x, outside ? 0 : sum / (width * std::sqrt(2 * std::numbers::pi))});
  }
  return curve;
}

}  // namespace textcrs::plot
