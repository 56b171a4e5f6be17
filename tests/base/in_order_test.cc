#include "base/in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

// Results come in another order than their indices.
void take_a_while(size_t index) {
  Stream stream(5, static_cast<uint32_t>(index), 0);
  std::this_thread::sleep_for(std::chrono::microseconds(stream.below(500)));
}

std::vector<size_t> first(size_t count) {
  std::vector<size_t> list(count);
  for (size_t i = 0; i < count; ++i) list[i] = i;
  return list;
}

// What is used before the exception, and what that says.
struct Outcome {
  std::vector<size_t> used;
  std::string error;
};

template <typename Make>
Outcome outcome_of(size_t count, int threads, const Make& make, StopToken stop = {}) {
  Outcome outcome;
  try {
    for_each_in_order(
        count, threads, make, [&](size_t result) { outcome.used.push_back(result); }, stop);
  } catch (const std::exception& error) {
    outcome.error = error.what();
  }
  return outcome;
}

TEST(InOrder, UsesEveryResultInOrderInTheCallingThread) {
  const auto caller = std::this_thread::get_id();
  for (const int threads : {0, 1, 2, 8})
    for (const size_t count : {size_t{0}, size_t{1}, size_t{3}, size_t{700}}) {
      std::vector<std::string> used;
      const auto make = [](size_t i) {
        take_a_while(i);
        return std::make_unique<std::string>(std::to_string(i));
      };
      for_each_in_order(count, threads, make, [&](const std::unique_ptr<std::string>& result) {
        EXPECT_EQ(std::this_thread::get_id(), caller);
        used.push_back(*result);
      });
      ASSERT_EQ(used.size(), count);
      for (size_t i = 0; i < count; ++i) EXPECT_EQ(used[i], std::to_string(i));
    }
}

TEST(InOrder, AllThreadsWorkAtOnce) {
  constexpr int kThreads = 6;
  std::atomic<int> working{0};
  const auto make = [&](size_t i) {
    ++working;
    for (int now = working; now < kThreads; now = working) working.wait(now);
    working.notify_all();
    return i;
  };
  EXPECT_EQ(outcome_of(kThreads, kThreads, make).used, first(kThreads));
}

TEST(InOrder, OnlySoManyAreMadeAhead) {
  constexpr int kThreads = 3;
  constexpr size_t kAhead = kAheadPerThread * kThreads;
  std::atomic<size_t> begun{0}, used{0};
  const auto make = [&](size_t i) {
    EXPECT_LT(i, used + kAhead);
    ++begun;
    begun.notify_all();
    if (i == 0)  // holds up the others until there is no room for them
      for (size_t now = begun; now < kAhead; now = begun) begun.wait(now);
    return i;
  };
  for_each_in_order(500, kThreads, make, [&](size_t i) { EXPECT_EQ(i, used++); });
  EXPECT_EQ(used, 500u);
}

TEST(InOrder, TheErrorOfTheLowestIndexIsThrownBehindAllBeforeIt) {
  for (const int threads : {1, 2, 8}) {
    std::atomic<size_t> failed{0};
    const auto make = [&](size_t i) {
      take_a_while(i);
      if (threads == 8 && i == 40)  // not before the other one
        for (size_t now = failed; now == 0; now = failed) failed.wait(now);
      if (i == 40 || i == 43) {
        ++failed;
        failed.notify_all();
        throw std::runtime_error(std::to_string(i));
      }
      return i;
    };
    const Outcome outcome = outcome_of(200, threads, make);
    EXPECT_EQ(outcome.error, "40");
    EXPECT_EQ(outcome.used, first(40));
  }
}

TEST(InOrder, AnErrorEndsTheWork) {
  std::atomic<size_t> begun{0};
  const auto make = [&](size_t i) -> size_t {
    ++begun;
    if (i == 0) throw std::runtime_error("first");
    return i;
  };
  EXPECT_EQ(outcome_of(100000, 4, make).error, "first");
  EXPECT_LE(begun, kAheadPerThread * 4);
}

TEST(InOrder, AnErrorOfTheUserIsThrownAtOnce) {
  for (const int threads : {1, 4}) {
    size_t used = 0;
    const auto use = [&](size_t) {
      if (++used == 10) throw std::runtime_error("no room");
    };
    EXPECT_THROW(for_each_in_order(
                     1000, threads, [](size_t i) { return i; }, use),
                 std::runtime_error);
    EXPECT_EQ(used, 10u);
  }
}

TEST(InOrder, AStopKeepsWhatIsMade) {
  for (const int threads : {1, 2, 8}) {
    std::atomic<bool> stop{false};
    std::atomic<size_t> made{0};
    const auto make = [&](size_t i) {
      take_a_while(i);
      if (++made == 50) stop = true;
      return i;
    };
    const Outcome outcome = outcome_of(1000, threads, make, StopToken(stop));
    EXPECT_THAT(outcome.error, HasSubstr("interrupted"));
    // Nobody was interrupted in an index, so all that began are used.
    EXPECT_EQ(outcome.used, first(made));
    EXPECT_GE(made, 50u);
    EXPECT_LT(made, 50u + static_cast<size_t>(threads));
  }
}

TEST(InOrder, AStopBeforeTheFirstMakesNothing) {
  const std::atomic<bool> stop{true};
  for (const int threads : {1, 4}) {
    const auto make = [](size_t i) {
      ADD_FAILURE();
      return i;
    };
    EXPECT_THAT(outcome_of(10, threads, make, StopToken(stop)).error, HasSubstr("interrupted"));
  }
}

}  // namespace
}  // namespace textcrs
