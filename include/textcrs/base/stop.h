// How long work is asked to stop, without globals.
#pragma once

#include <atomic>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/base/error.h"

namespace TEXTCRS_API textcrs {

// A view of a flag that somebody else sets, for instance a signal handler: std::stop_token can not
// be set from one. The flag must outlive the token. Long work looks at it between two steps.
class StopToken {
 public:
  StopToken() = default;  // never stops
  explicit StopToken(const std::atomic<bool>& flag) : flag_(&flag) {}

  bool stop_requested() const { return flag_ != nullptr && flag_->load(std::memory_order_relaxed); }
  // An Error of kind kInterrupted if a stop was requested.
  void check() const {
    if (stop_requested()) throw Error(ErrorKind::kInterrupted, "interrupted");
  }

 private:
  const std::atomic<bool>* flag_ = nullptr;
};

}  // namespace textcrs
