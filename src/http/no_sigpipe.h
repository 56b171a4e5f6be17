#pragma once

#include <pthread.h>
#include <signal.h>
#include <time.h>

namespace textcrs {

// As long as it lives, this thread gets no SIGPIPE from a connection that the other side has
// closed; signals of other threads and the process's handlers are left alone.
class NoSigpipe {
 public:
  NoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_pending_ = pending();
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoSigpipe() {
    const timespec at_once{};
    if (!was_pending_ && pending()) sigtimedwait(&pipe_, nullptr, &at_once);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoSigpipe(const NoSigpipe&) = delete;
  NoSigpipe& operator=(const NoSigpipe&) = delete;

 private:
  static bool pending() {
    sigset_t all;
    return sigpending(&all) == 0 && sigismember(&all, SIGPIPE) == 1;
  }

  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

}  // namespace textcrs
