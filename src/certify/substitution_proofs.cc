#include "certify/substitution_proofs.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "certify/rounding.h"

namespace textcrs {
namespace {

constexpr double kRounding = 1e-12;
// Far below the least positive double that a bound could be multiplied with.
constexpr double kLargestLogRatio = 600;
// Later places share the maximum of this one: curves take memory.
constexpr size_t kPlaces = 256;

// The largest n <= limit with certified(1), .., certified(n).
int largest(int limit, const std::function<bool(size_t)>& certified) {
  int n = 0;
  while (n < limit && certified(static_cast<size_t>(n) + 1)) ++n;
  return n;
}

}  // namespace

Bounds after_overlap(Bounds bounds, double overlap) {
  return {bounds.pa - (1 - overlap), bounds.pb + (1 - overlap)};
}

Bounds after_ratio(Bounds bounds, double log_ratio) {
  if (!(log_ratio < kLargestLogRatio)) return {0, 1};
  const double ratio = std::exp(log_ratio) * (1 + kRounding / 100);
  return {std::max(bounds.pa / ratio, 1 - ratio * (1 - bounds.pa)),
          std::min(bounds.pb * ratio, 1 - (1 - bounds.pb) / ratio)};
}

Bounds after_composition(Bounds bounds, const LossCurve& composed) {
  return {1 - composed.most(1 - bounds.pa), composed.most(bounds.pb)};
}

bool surely_ahead(Bounds after) { return after.pa - after.pb > kRounding; }

TextRisk::TextRisk(std::vector<const WordRisk*> risks) : overlaps_{1}, log_ratios_{0} {
  std::stable_sort(risks.begin(), risks.end(), [](const WordRisk* a, const WordRisk* b) {
    return a->variation() > b->variation();
  });
  std::vector<double> ratios;
  for (const WordRisk* risk : risks) {
    overlaps_.push_back(
        std::max(0.0, round_down(overlaps_.back() * round_down(1 - risk->variation()))));
    ratios.push_back(risk->log_ratio);
  }
  std::sort(ratios.begin(), ratios.end(), std::greater<>());
  for (const double ratio : ratios) log_ratios_.push_back(round_up(log_ratios_.back() + ratio));

  from_place_.resize(std::min(risks.size(), kPlaces));
  LossCurve later;
  for (size_t place = risks.size(); place-- > 0;) {
    later.raise(risks[place]->curve);
    if (place < from_place_.size()) from_place_[place] = later;
  }
}

int TextRisk::by_overlap(Bounds bounds) const {
  return largest(positions(),
                 [&](size_t n) { return surely_ahead(after_overlap(bounds, overlaps_[n])); });
}

int TextRisk::by_ratio(Bounds bounds) const {
  return largest(positions(),
                 [&](size_t n) { return surely_ahead(after_ratio(bounds, log_ratios_[n])); });
}

int TextRisk::by_composition(Bounds bounds) {
  return largest(positions(), [&](size_t n) {
    if (composed_.size() < n) {
      distribution_.compose(from_place_[std::min(n, from_place_.size()) - 1]);
      composed_.push_back(distribution_.curve());
    }
    return surely_ahead(after_composition(bounds, composed_[n - 1]));
  });
}

int TextRisk::radius(Bounds bounds) {
  return std::max({by_overlap(bounds), by_ratio(bounds), by_composition(bounds)});
}

}  // namespace textcrs
