#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"

namespace textcrs {

// How many requests may be made of an endpoint, repeated ones included. Thread-safe.
class RequestBudget {
 public:
  // `kept`: where the answers so far are; empty: nowhere.
  RequestBudget(std::string url, int64_t most, std::string kept)
      : url_(std::move(url)), most_(most), kept_(std::move(kept)) {}

  // Before an attempt, with the fault of the one before; a failed Error if nothing is left.
  void spend(const std::string& fault) {
    const std::lock_guard lock(mutex_);
    if (spent_ >= most_)
      throw failed(fmt::format("{}: the budget of {} is spent{}; {}", url_,
                               counted(most_, "question"),
                               fault.empty() ? "" : fmt::format(" (the last one: {})", fault),
                               kept_.empty() ? "there is no cache that keeps the answers"
                                             : "what is answered is kept in " + kept_));
    ++spent_;
  }

  int64_t spent() const {
    const std::lock_guard lock(mutex_);
    return spent_;
  }

 private:
  std::string url_;
  int64_t most_;
  std::string kept_;
  mutable std::mutex mutex_;
  int64_t spent_ = 0;
};

}  // namespace textcrs
