#include "http/retry_after.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>

namespace textcrs {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

// 1994-11-06 08:49:37 UTC, the moment of RFC 9110's examples.
const std::chrono::system_clock::time_point kThen{seconds(784111777)};

TEST(RetryAfter, ReadsSeconds) {
  EXPECT_EQ(retry_after("120", kThen), seconds(120));
  EXPECT_EQ(retry_after("0", kThen), seconds(0));
  EXPECT_EQ(retry_after("86401", kThen), seconds(86400));
  EXPECT_EQ(retry_after("99999999999999999999999", kThen), seconds(86400));
}

TEST(RetryAfter, ReadsTheThreeFormsOfADate) {
  for (const char* date : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                           "Sun Nov  6 08:49:37 1994"}) {
    EXPECT_EQ(retry_after(date, kThen), seconds(0)) << date;
    EXPECT_EQ(retry_after(date, kThen - seconds(90)), seconds(90)) << date;
    EXPECT_EQ(retry_after(date, kThen - milliseconds(250)), milliseconds(250)) << date;
    EXPECT_EQ(retry_after(date, kThen + seconds(90)), seconds(0)) << date;
    EXPECT_EQ(retry_after(date, kThen - std::chrono::hours(100)), seconds(86400)) << date;
  }
}

TEST(RetryAfter, AnythingElseIsNone) {
  for (const char* value : {"", "soon", "-5", "1.5", "+7", "Sun, 45 Nov 1994 99:49:37 GMT"})
    EXPECT_EQ(retry_after(value, kThen), std::nullopt) << value;
}

}  // namespace
}  // namespace textcrs
