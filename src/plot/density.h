// Distributions of many numbers as curves.
#pragma once

#include <vector>

#include "textcrs/plot/chart.h"

namespace textcrs::plot {

// Below so large a share of the values; they are sorted, and there are some.
double quantile_of_sorted(const std::vector<double>& values, double share);

// An estimate of the density at `count` places from `from` to `to`: a mean of normal densities
// around the values, as wide as Silverman's rule says (Density Estimation, 3.31). With `positive`
// nothing is below 0: what a value's normal density has there is mirrored. The values are sorted
// and there are some; count is 2 or more, to > from.
std::vector<Point> density_curve(const std::vector<double>& values, double from, double to,
                                 size_t count, bool positive);

}  // namespace textcrs::plot
