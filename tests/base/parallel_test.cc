#include "textcrs/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

namespace textcrs {
namespace {

TEST(ParallelFor, DoesEveryIndexOnce) {
  for (int threads : {0, 1, 2, 7}) {
    std::vector<std::atomic<int>> done(1000);
    parallel_for(done.size(), threads, [&](size_t i) { ++done[i]; });
    for (const auto& count : done) EXPECT_EQ(count, 1);
  }
}

TEST(ParallelFor, NothingToDo) {
  parallel_for(0, 4, [](size_t) { FAIL(); });
}

TEST(ParallelFor, TheFirstExceptionComesBack) {
  for (int threads : {1, 3}) {
    EXPECT_THROW(parallel_for(100, threads,
                              [](size_t i) {
                                if (i == 5) throw std::runtime_error("five");
                              }),
                 std::runtime_error);
  }
}

TEST(AvailableCores, IsPositive) { EXPECT_GE(available_cores(), 1); }

}  // namespace
}  // namespace textcrs
