#include "http/no_sigpipe.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>

namespace textcrs {
namespace {

void write_to_nobody() {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  close(ends[0]);
  EXPECT_EQ(write(ends[1], "x", 1), -1);
  EXPECT_EQ(errno, EPIPE);
  close(ends[1]);
}

TEST(NoSigpipe, TheProcessSurvivesAClosedPipe) {
  {
    const NoSigpipe guard;
    write_to_nobody();
    write_to_nobody();
  }
  sigset_t pending;
  ASSERT_EQ(sigpending(&pending), 0);
  EXPECT_EQ(sigismember(&pending, SIGPIPE), 0);
}

TEST(NoSigpipe, OutsideOfItTheProcessDies) {
  EXPECT_EXIT(
      {
        { const NoSigpipe guard; }
        write_to_nobody();
      },
      testing::KilledBySignal(SIGPIPE), "");
}

}  // namespace
}  // namespace textcrs
