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

TEST(OneCycle, PeaksBehindTheShareOfTheStepsThatIsWarmUp) {
  for (const double warm_up : {0.1, 0.25, 0.5, 0.9}) {
    EXPECT_DOUBLE_EQ(one_cycle(5e-5, 0, 1000, warm_up), 5e-5 / 25);
    const auto turn = static_cast<int64_t>(warm_up * 1000);
    EXPECT_DOUBLE_EQ(one_cycle(5e-5, turn, 1000, warm_up), 5e-5);
    EXPECT_LT(one_cycle(5e-5, turn - 1, 1000, warm_up), 5e-5);
    EXPECT_LT(one_cycle(5e-5, turn + 1, 1000, warm_up), 5e-5);
    EXPECT_DOUBLE_EQ(one_cycle(5e-5, 999, 1000, warm_up), 5e-5 / 1e4);
  }
  // Without warm-up the second step has the peak; with nothing else none falls.
  EXPECT_DOUBLE_EQ(one_cycle(1, 1, 1000, 0), 1);
  EXPECT_LT(one_cycle(1, 998, 1000, 1), one_cycle(1, 999, 1000, 1));
}

TEST(OneCycle, RisesToThePeakAndFallsFromThere) {
  EXPECT_TRUE(rc::check([] {
    const auto steps = *rc::gen::inRange<int64_t>(2, 2000);
    const double warm_up = *rc::gen::inRange(0, 11) / 10.0;
    const double turn = std::max(1.0, warm_up * static_cast<double>(steps));
    for (int64_t step = 1; step < steps; ++step) {
      const double before = one_cycle(1, step - 1, steps, warm_up),
                   now = one_cycle(1, step, steps, warm_up);
      RC_ASSERT(now <= 1 && now >= 1e-4);
      if (static_cast<double>(step) < turn) RC_ASSERT(now > before);
      if (static_cast<double>(step - 1) >= turn) RC_ASSERT(now < before);
    }
  }));
}

TEST(OneCycle, HasARateForEveryShortRun) {
  for (const double warm_up : {0.0, 0.1, 0.3, 1.0})
    for (int64_t steps = 1; steps < 10; ++steps)
      for (int64_t step = 0; step < steps; ++step) {
        EXPECT_GE(one_cycle(1, step, steps, warm_up), 1e-4);
        EXPECT_LE(one_cycle(1, step, steps, warm_up), 1);
      }
}

}  // namespace
}  // namespace textcrs
