#include "certify/loss_distribution.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace textcrs {
namespace {

constexpr int kPoints = kHighest - kLowest + 1;
// Sums of up to kPoints non-negative doubles and products, each step off by a relative 2^-53, are
// off by less than 4 kPoints 2^-53 < 7e-13 in all; every result is raised by more than that.
constexpr double kInflation = 1 + 1e-12;
// The masses at either end that trim() may move, in all, at each step.
constexpr double kNegligible = 1e-13;
// Masses below this go to infinity at once: they would end as denormal numbers.
constexpr double kLeastMass = 1e-20;

// A bucket of ratios has one exponent and the same 6 first bits of the mantissa.
constexpr int kBucketShift = 46;
uint64_t bucket(double ratio) { return std::bit_cast<uint64_t>(ratio) >> kBucketShift; }

struct Grid {
  std::array<double, kPoints> ratios;
  uint64_t first_bucket;
  std::vector<int> first_cell;  // the cell of the lower end of each bucket

  Grid() {
    for (int i = 0; i < kPoints; ++i)
      ratios[static_cast<size_t>(i)] = std::exp((kLowest + i) * kStep);
    first_bucket = bucket(ratios.front());
    int cell = 0;
    for (uint64_t b = first_bucket; b <= bucket(ratios.back()); ++b) {
      const double lower_end = std::bit_cast<double>(b << kBucketShift);
      while (cell + 1 < kPoints && ratios[static_cast<size_t>(cell) + 1] <= lower_end) ++cell;
      first_cell.push_back(kLowest + cell);
    }
  }
};

const Grid& grid() {
  static const Grid instance;
  return instance;
}

}  // namespace

double grid_ratio(int i) { return grid().ratios[static_cast<size_t>(i - kLowest)]; }

int grid_cell(double ratio) {
  if (ratio < grid_ratio(kLowest)) return kLowest - 1;
  if (ratio >= grid_ratio(kHighest)) return kHighest;
  int cell = grid().first_cell[static_cast<size_t>(bucket(ratio) - grid().first_bucket)];
  while (grid_ratio(cell + 1) <= ratio) ++cell;
  return cell;
}

double LossCurve::at(int i) const {
  if (i > high()) return values.back();
  if (i >= low) return values[static_cast<size_t>(i - low)];
  return 1 - grid_ratio(i) / grid_ratio(low) * (1 - values.front());
}

void LossCurve::raise(const LossCurve& other) {
  const int new_low = std::min(low, other.low), new_high = std::max(high(), other.high());
  if (new_low < low || new_high > high()) {
    std::vector<double> wider;
    for (int i = new_low; i <= new_high; ++i) wider.push_back(at(i));
    low = new_low;
    values = std::move(wider);
  }
  for (int i = low; i < other.low; ++i)
    values[static_cast<size_t>(i - low)] =
        std::max(values[static_cast<size_t>(i - low)], other.at(i));
  double* const shared = values.data() + (other.low - low);
  for (size_t k = 0; k < other.values.size(); ++k) shared[k] = std::max(shared[k], other.values[k]);
  for (int i = other.high() + 1; i <= new_high; ++i)
    values[static_cast<size_t>(i - low)] =
        std::max(values[static_cast<size_t>(i - low)], other.values.back());
}

// t p + H(t) is convex in t, so its differences change their sign once. Should rounding mislead the
// search, the point it ends at is still a bound.
double LossCurve::most(double p) const {
  const auto bound = [&](int i) { return grid_ratio(i) * p + at(i); };
  int first = low, last = high();
  while (first < last) {
    const int middle = first + (last - first) / 2;
    if (bound(middle) <= bound(middle + 1))
      last = middle;
    else
      first = middle + 1;
  }
  return std::min(1.0, bound(first));
}

// The piecewise linear curve through the points has P-mass at its kinks: the change of slope there.
// From the top down, each mass is what lifts the next point to its value; a point that lies higher
// already (rounding, or a bound that is not convex) needs none.
LossDistribution LossDistribution::from(const LossCurve& curve) {
  LossDistribution made;
  made.low_ = curve.low;
  made.masses_.assign(curve.values.size(), 0);
  made.infinite_ = curve.values.back();
  double height = made.infinite_;  // of the curve of the masses so far, at t_i
  double slope = 0;                // its fall to the left of t_i: the P-masses from t_i on
  for (int i = curve.high(); i >= curve.low; --i) {
    const bool last = i == curve.low;
    const double width = last ? grid_ratio(i) : grid_ratio(i) - grid_ratio(i - 1);
    const double target = last ? 1 : curve.at(i - 1);
    const double missing = (target - height) / width - slope;
    if (missing > 0) {
      slope += missing;
      const double mass = missing * grid_ratio(i) * kInflation;
      (mass < kLeastMass ? made.infinite_ : made.masses_[static_cast<size_t>(i - curve.low)]) +=
          mass;
    }
    height += width * slope;
  }
  made.infinite_ *= kInflation;
  return made;
}

void LossDistribution::compose(const LossCurve& curve) {
  const LossDistribution other = from(curve);
  const double all = std::accumulate(masses_.begin(), masses_.end(), 0.0);
  const double all_other = std::accumulate(other.masses_.begin(), other.masses_.end(), 0.0);
  std::vector<double> product(masses_.size() + other.masses_.size() - 1, 0.0);
  for (size_t i = 0; i < other.masses_.size(); ++i) {
    const double mass = other.masses_[i] * kInflation;
    if (mass == 0) continue;
    double* const out = product.data() + i;
    for (size_t k = 0; k < masses_.size(); ++k) out[k] += mass * masses_[k];
  }
  infinite_ = (infinite_ * (all_other + other.infinite_) + all * other.infinite_) * kInflation;
  low_ += other.low_;
  masses_ = std::move(product);
  trim();
}

// Mass above the grid, and a negligible mass at its top, goes to infinity; mass below the grid, and
// a negligible mass at its bottom, is moved up. Both keep the mass under Q and lower that under P.
void LossDistribution::trim() {
  size_t begin = 0, end = masses_.size();
  double below = 0, above = 0;
  for (; end - begin > 1; --end) {
    const bool outside = low_ + static_cast<int>(end) - 1 > kHighest;
    if (!outside && above + masses_[end - 1] > kNegligible) break;
    above += masses_[end - 1];
  }
  for (; end - begin > 1; ++begin) {
    const bool outside = low_ + static_cast<int>(begin) < kLowest;
    if (!outside && below + masses_[begin] > kNegligible) break;
    below += masses_[begin];
  }
  infinite_ = (infinite_ + above) * kInflation;
  masses_[begin] = (masses_[begin] + below) * kInflation;
  masses_.resize(end);
  masses_.erase(masses_.begin(), masses_.begin() + static_cast<std::ptrdiff_t>(begin));
  low_ += static_cast<int>(begin);
  if (low_ > kHighest) {  // a single mass is left, and it is above the grid
    infinite_ += masses_.front();
    masses_ = {0.0};
    low_ = kHighest;
  }
  low_ = std::max(low_, kLowest);
}

LossCurve LossDistribution::curve() const {
  LossCurve curve;
  curve.low = low_;
  curve.values.resize(masses_.size());
  double height = infinite_, slope = 0;
  for (size_t k = masses_.size(); k-- > 0;) {
    const int i = low_ + static_cast<int>(k);
    if (k + 1 < masses_.size()) height += (grid_ratio(i + 1) - grid_ratio(i)) * slope;
    slope += masses_[k] / grid_ratio(i);
    curve.values[k] = height * kInflation;
  }
  return curve;
}

}  // namespace textcrs
