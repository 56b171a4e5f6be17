#include "certify/normal_quantile.h"

#include <boost/math/distributions/normal.hpp>
#include <limits>

namespace textcrs {

double normal_quantile(double p) {
  if (p <= 0) return -std::numeric_limits<double>::infinity();
  if (p >= 1) return std::numeric_limits<double>::infinity();
  return boost::math::quantile(boost::math::normal(), p);
}

}  // namespace textcrs
