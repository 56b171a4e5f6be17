#include "certify/kernel_pair.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace textcrs {
namespace {

// A sweep adds up to one term per grid point, each off by a relative 2^-52 at most.
constexpr double kInflation = 1 + 1e-12;
constexpr double kInfinite = std::numeric_limits<double>::infinity();

double draw_error(size_t words) { return static_cast<double>(words) * kDrawError; }

size_t cell_index(int cell) { return static_cast<size_t>(cell - kLowest); }

// The error of ln(probability) where the law really drawn is off by a quarter of `error` (see
// kDrawError): |ln(1 + x)| <= 2 |x| for |x| <= 1/2.
double log_error(double error, double least) { return error <= least ? error / least : kInfinite; }

}  // namespace

void WordRisk::raise(const WordRisk& other) {
  log_ratio = std::max(log_ratio, other.log_ratio);
  curve.raise(other.curve);
}

KernelPair::KernelPair(const SubstitutionKernel& kernel, WordId word)
    : kernel_(kernel),
      word_(word),
      before_(static_cast<size_t>(kernel.table().size()), 0.0),
      excess_(cell_index(kHighest) + 1, 0.0),
      mass_(excess_.size(), 0.0) {
  const auto entries = kernel.of(word);
  support_ = entries.size();
  for (const auto& [outcome, probability] : entries) {
    if (static_cast<size_t>(outcome) < before_.size())
      before_[static_cast<size_t>(outcome)] = probability;
    least_ = std::min(least_, probability);
  }
}

// A word beyond the table stays what it is.
double KernelPair::before(WordId outcome) const {
  const auto i = static_cast<size_t>(outcome);
  return i < before_.size() ? before_[i] : outcome == word_ ? 1 : 0;
}

// Outcomes with P > 0 = Q add nothing to the curve at t > 0, so those of the other word suffice.
WordRisk KernelPair::with(WordId other) {
  WordRisk risk;
  if (other == word_) return risk;
  const auto entries = kernel_.of(other);
  int lowest = kHighest + 1, highest = kLowest - 1;
  double infinite = 0, least_ratio = 1, greatest_ratio = 1, least = 1;
  size_t shared = 0;
  for (const auto& [outcome, q] : entries) {
    const double p = before(outcome);
    if (p == 0) {
      infinite += q;
      continue;
    }
    ++shared;
    const double ratio = q / p;
    least = std::min(least, q);
    least_ratio = std::min(least_ratio, ratio);
    greatest_ratio = std::max(greatest_ratio, ratio);
    const int cell = grid_cell(ratio);
    if (cell < kLowest) continue;  // below the grid the curve is the line to H(0) = 1
    excess_[cell_index(cell)] += std::max(0.0, q - grid_ratio(cell) * p);
    mass_[cell_index(cell)] += p;
    lowest = std::min(lowest, cell);
    highest = std::max(highest, cell);
  }
  const double error = draw_error(support_), error_after = draw_error(entries.size());
  const bool same_support = shared == entries.size() && shared == support_;
  risk.log_ratio = same_support ? std::max(std::log(greatest_ratio), -std::log(least_ratio)) +
                                      log_error(error, least_) + log_error(error_after, least)
                                : kInfinite;
  risk.curve = sweep(lowest, highest, infinite, error_after);
  return risk;
}

// H at the grid points from `highest` + 1, where only the outcomes with P = 0 are left, down to
// `lowest`. Between t_i and t_(i+1) an outcome of a higher cell adds (t_(i+1) - t_i) P.
//
// For the laws really drawn, H(t) is at most that of the kernels plus the error of Q plus t times
// that of P: both are errors of the probability of one event. It falls, so the least bound at or
// before t holds at t.
LossCurve KernelPair::sweep(int lowest, int highest, double infinite, double error_after) {
  LossCurve curve;
  if (highest < lowest) {
    curve.values = {1.0};
    return curve;
  }
  const int top = std::min(highest + 1, kHighest);
  curve.low = lowest;
  curve.values.resize(static_cast<size_t>(top - lowest) + 1);
  double height = infinite, mass = 0;
  for (int i = top; i >= lowest; --i) {
    if (i < top) height += (grid_ratio(i + 1) - grid_ratio(i)) * mass;
    height += excess_[cell_index(i)];
    mass += mass_[cell_index(i)];
    excess_[cell_index(i)] = mass_[cell_index(i)] = 0;
    curve.values[static_cast<size_t>(i - lowest)] = height;
  }
  double least = 1;
  for (int i = lowest; i <= top; ++i) {
    double& value = curve.values[static_cast<size_t>(i - lowest)];
    least =
        std::min(least, value * kInflation + error_after + grid_ratio(i) * draw_error(support_));
    value = least;
  }
  return curve;
}

}  // namespace textcrs
