// The one-cycle schedule: its start, its peak, its end and the way between them.
#include "train/schedule.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace textcrs {
namespace {

TEST(OneCycle, StartsPeaksAndEndsWhereItSays) {
  EXPECT_DOUBLE_EQ(one_cycle(2e-3, 0, 1000, 0.3), 2e-3 / 25);
  EXPECT_DOUBLE_EQ(one_cycle(2e-3, 300, 1000, 0.3), 2e-3);
  EXPECT_DOUBLE_EQ(one_cycle(2e-3, 999, 1000, 0.3), 2e-3 / 1e4);
}

TEST(OneCycle, FollowsTheCosineBetweenThem) {
  // Half way up and half way down a cosine is the mean of its ends.
  EXPECT_DOUBLE_EQ(one_cycle(1, 150, 1000, 0.3), (1.0 / 25 + 1) / 2);
  EXPECT_NEAR(one_cycle(1, 303 + 353, 1010, 0.3), (1 + 1e-4) / 2, 1e-9);
}

TEST(OneCycle, RisesToThePeakAndFallsFromThere) {
  EXPECT_TRUE(rc::check([] {
    const auto steps = *rc::gen::inRange<int64_t>(2, 2000);
    for (int64_t step = 1; step < steps; ++step) {
      const double before = one_cycle(1, step - 1, steps, 0.3),
                   now = one_cycle(1, step, steps, 0.3);
      RC_ASSERT(now <= 1 && now >= 1e-4);
      if (static_cast<double>(step) < 0.3 * static_cast<double>(steps)) RC_ASSERT(now > before);
      if (static_cast<double>(step - 1) >= 0.3 * static_cast<double>(steps) && step > 1)
        RC_ASSERT(now < before);
    }
  }));
}

TEST(OneCycle, HasARateForEveryShortRun) {
  for (int64_t steps = 1; steps < 10; ++steps) {
    for (int64_t step = 0; step < steps; ++step) {
      EXPECT_GE(one_cycle(1, step, steps, 0.3), 1e-4);
      EXPECT_LE(one_cycle(1, step, steps, 0.3), 1);
    }
  }
}

}  // namespace
}  // namespace textcrs
