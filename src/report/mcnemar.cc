#include "textcrs/report/mcnemar.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

namespace textcrs {

double mcnemar_exact(size_t only_first, size_t only_second) {
  const size_t discordant = only_first + only_second;
  if (discordant == 0) return 1;
  const boost::math::binomial coins(static_cast<double>(discordant), 0.5);
  const auto fewer = static_cast<double>(std::min(only_first, only_second));
  return std::min(1.0, 2 * boost::math::cdf(coins, fewer));
}

}  // namespace textcrs
