// How far vectors are apart, with the rounding of the sums accounted for.
#pragma once

#include <cstddef>
#include <span>

namespace textcrs {

// |a - b|^2, off by at most a relative (dimension + 2) 2^-53: one rounding of each difference and
// of each product, and at most dimension - 1 of the sums. Differences of floats and their squares
// neither overflow nor underflow in double precision. A std::logic_error for a vector that is not
// finite.
double squared_distance(std::span<const float> a, std::span<const float> b);

// The root of a sum of multiples of at most `terms` squared distances, from above; 0 of 0.
double distance_up(double squares, int dimension, size_t terms);

}  // namespace textcrs
