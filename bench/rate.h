// How fast something is.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

namespace textcrs::bench {

inline double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The best rate of at least two runs, up to a second of them, after one that is not counted.
inline double rate_of(double copies, const std::function<void()>& work) {
  work();
  double best = 0, total = 0;
  for (int run = 0; run < 20 && (run < 2 || total < 1); ++run) {
    const double seconds = seconds_of(work);
    total += seconds;
    best = std::max(best, copies / seconds);
  }
  return best;
}

}  // namespace textcrs::bench
