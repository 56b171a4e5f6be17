// The cheapest way to carry goods from where they are to where they are wanted.
#pragma once

#include <functional>
#include <span>

namespace textcrs {

// cost(i)[j] >= 0 is the price of one unit from place i to place j; cost(i)[i] = 0. Called for a
// place at most once; what it returns must stay valid until the transport is done.
using CostsFrom = std::function<std::span<const double>(size_t place)>;

// The smallest total price of turning `supply` into `demand`, two counts per place with equal sums.
// It is the price of a plan that was found, so rounding can only make the plan dearer than the
// cheapest; the price itself is off by one rounding per product and one per sum, of at most as many
// products as units. A cost that is not finite is a std::logic_error.
double cheapest_transport(std::span<const int> supply, std::span<const int> demand,
                          const CostsFrom& costs);

}  // namespace textcrs
