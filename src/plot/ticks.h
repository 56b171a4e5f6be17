// Which numbers stand beside an axis.
#pragma once

#include <vector>

#include "textcrs/plot/chart.h"

namespace textcrs::plot {

struct Range {
  double least = 0, most = 1;
};

// Round numbers, at most `count` of them: multiples of 1, 2 or 5 times a power of ten; on a
// logarithmic axis powers of ten, with 2 and 5 between them where there is room, unless these are
// fewer than two.
std::vector<Tick> choose_ticks(Range range, size_t count, bool logarithmic);

}  // namespace textcrs::plot
