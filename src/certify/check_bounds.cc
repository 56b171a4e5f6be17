#include "certify/check_bounds.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"

namespace textcrs {

void check_bounds(Bounds bounds) {
  if (!(bounds.pa >= 0 && bounds.pa <= 1))
    throw usage_error(fmt::format("pA is {}, expected 0 to 1", bounds.pa));
  if (!(bounds.pb >= 0 && bounds.pb <= 1))
    throw usage_error(fmt::format("pB is {}, expected 0 to 1", bounds.pb));
  if (bounds.pb > bounds.pa)
    throw usage_error(fmt::format("pB is {}, expected at most pA, {}", bounds.pb, bounds.pa));
}

}  // namespace textcrs
