// Work split over threads by index; the result never depends on who did what.
#pragma once

#include <cstddef>
#include <functional>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// Calls work(i) for every i in [0, count), on `threads` threads that take the next free index. The
// first exception stops the hand-out and is rethrown here. threads <= 1 runs in the caller.
void parallel_for(size_t count, int threads, const std::function<void(size_t)>& work);

// The number of cores this process may use (the affinity mask, not the machine's total).
int available_cores();

}  // namespace textcrs
