// Shares and their intervals.
#pragma once

#include "textcrs/certify/confidence.h"
#include "textcrs/suite/tables.h"

namespace textcrs {

struct ShareInterval {
  double low = 0, high = 1;
};

// Both of these are of at least one text.
inline double share_of(const CountedShare& share) {
  return static_cast<double>(share.count) / static_cast<double>(share.all);
}

// Of Clopper and Pearson, two-sided at 95 %.
inline ShareInterval interval_of(const CountedShare& share) {
  constexpr double kEachSide = 0.025;
  const auto count = static_cast<int64_t>(share.count), all = static_cast<int64_t>(share.all);
  return {clopper_pearson_lower(count, all, kEachSide),
          clopper_pearson_upper(count, all, kEachSide)};
}

}  // namespace textcrs
